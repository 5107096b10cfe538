"""Notebook display: environments appear as pictures, films as players, reports as pages, and the catalogue as a table.

Jupyter calls an object's ``_repr_html_`` and ``_repr_png_``; this module itself does not need Jupyter.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

#: Maximum size of an embedded file, in bytes. For a larger file, the notebook shows only its name.
MAX_BYTES = 20_000_000

#: Height of a page within a notebook, in pixels.
PAGE_HEIGHT = 640


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    lines = ("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def image(png: bytes, words: str) -> str:
    """A picture as HTML, with a description in words."""
    return f"<img src='data:image/png;base64,{base64.b64encode(png).decode()}' alt='{html.escape(words, quote=True)}'>"


def film(path: Path, words: str) -> str:
    """A film as HTML: a GIF plays by itself, and an MP4 has a player. If the file is missing or too large, only its name is shown."""
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        return f"<p>{html.escape(words)}: {html.escape(str(path))}</p>"
    data = base64.b64encode(path.read_bytes()).decode()
    caption = f"<figcaption>{html.escape(words)}</figcaption>"
    if path.suffix.lower() == ".gif":
        return f"<figure><img src='data:image/gif;base64,{data}' alt='{html.escape(words, quote=True)}'>{caption}</figure>"
    return f"<figure><video src='data:video/mp4;base64,{data}' controls loop muted autoplay playsinline></video>{caption}</figure>"


def page(path: Path, words: str) -> str:
    """A page as HTML, in a frame. If the file is missing or too large, only its name is shown."""
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        return f"<p>{html.escape(words)}: {html.escape(str(path))}</p>"
    content = html.escape(path.read_text(encoding="utf-8"), quote=True)
    return (
        f'<iframe title="{html.escape(words, quote=True)}" srcdoc="{content}" style="width:100%;height:{PAGE_HEIGHT}px;border:0"></iframe>'
    )


class Catalogue(dict[str, dict[str, Any]]):
    """The games by name, displayed as a table in a notebook."""

    def _repr_html_(self) -> str:
        return table(["game", "version", "steps", "presets", "what it is about"], map(_row, self.items()))


def _row(item: tuple[str, Mapping[str, Any]]) -> list[object]:
    name, about = item
    return [name, about["version"], about["max_steps"], ", ".join(about["presets"]), about["doc"]]
