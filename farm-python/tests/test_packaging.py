"""What is handed to users: the wheel's tag and what it says of itself, and an archive of sources that has all that a build reads."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from email.message import Message
from importlib import metadata
from pathlib import Path

import pytest

import farm_gym
from conftest import repository

IS_FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.fixture(scope="module")
def package() -> Message:
    return metadata.metadata("farm-gym")  # type: ignore[return-value]


def test_one_wheel_serves_all_pythons_from_the_oldest_on() -> None:
    text = metadata.distribution("farm-gym").read_text("WHEEL")
    tags = re.findall(r"^Tag: (.*)$", text or "", re.MULTILINE)
    assert tags
    if IS_FREE_THREADED:
        # The stable interface of that has no wheel of this kind.
        version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        assert all(tag.startswith(f"{version}-{version}t-") for tag in tags), tags
    else:
        assert all(tag.startswith("cp310-abi3-") for tag in tags), tags
        name = Path(farm_gym._native.__file__ or "").name
        assert name.endswith((".abi3.so", ".pyd")), name


def test_the_wheel_lists_what_it_was_built_of() -> None:
    files = [Path(str(file)) for file in metadata.files("farm-gym") or []]
    [bill] = [file for file in files if file.parent.name == "sboms" and file.suffix == ".json"]
    content = json.loads(metadata.distribution("farm-gym").locate_file(bill).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    names = {component["name"] for component in content["components"]}
    assert {"farm-core", "farm-cli", "pyo3", "openh264"} <= names


def test_the_package_says_what_it_is(package: Message) -> None:
    classifiers = package.get_all("Classifier") or []
    oldest = package["Requires-Python"]
    assert oldest == ">=3.10" and "Programming Language :: Python :: 3.10" in classifiers
    assert not any(re.search(r"Python :: 3\.[0-9]$", classifier) for classifier in classifiers)
    expected = {"Typing :: Typed", "Programming Language :: Rust", "Programming Language :: Python :: Free Threading :: 2 - Beta"}
    assert expected <= set(classifiers)
    assert any(classifier.startswith("Topic :: Scientific/Engineering") for classifier in classifiers)
    assert "reinforcement-learning" in (package["Keywords"] or "").split(",")
    assert package["Author"] == "The farm-gym authors" and package["License-Expression"] == "MIT"
    assert package["Description-Content-Type"].startswith("text/markdown") and "# Farm-gym" in str(package.get_payload())
    top = repository()
    assert (Path(farm_gym.__file__).parent / "py.typed").exists()
    # Two files need the address of the repository: they agree.
    [address] = re.findall(r'^repository = "(.*)"$', (top / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert package.get_all("Project-URL") == [f"Source, {address}"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of sources, unpacked where nothing else is."""
    if importlib.util.find_spec("maturin") is None or shutil.which("cargo") is None:
        pytest.skip("maturin and cargo make the archive")
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(folder)]
    done = subprocess.run(command, cwd=repository(), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, filter="data")
        else:
            tar.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def test_the_archive_of_sources_has_every_crate_at_its_place_and_the_lock_file(sources: Path) -> None:
    for file in (
        "pyproject.toml",
        "PKG-INFO",
        "README.md",
        "LICENSE",
        "licenses/THIRD-PARTY.txt",
        "Cargo.lock",
        "farm-python/python/farm_gym/py.typed",
    ):
        assert (sources / file).is_file(), file
    # Reads every manifest, and one that is missing is an error. The lock file still has what only our tasks need.
    command = ["cargo", "metadata", "--format-version", "1", "--offline", "--manifest-path"]
    done = subprocess.run([*command, "farm-python/Cargo.toml"], cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    packages = json.loads(done.stdout)["packages"]
    own = {package["name"]: Path(package["manifest_path"]).parent for package in packages if package["source"] is None}
    assert {"farm-core", "farm-roles", "farm-entities", "farm-scoring", "farm-games", "farm-cli", "farm-python"} <= own.keys()
    for name, folder in own.items():
        assert folder.is_relative_to(sources), name
    lock = (repository() / "Cargo.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r'^name = "(.*)"\nversion = "(.*)"$', lock, re.MULTILINE))
    assert {(package["name"], package["version"]) for package in packages} <= locked


def test_the_archive_of_sources_has_every_file_that_a_build_includes(sources: Path) -> None:
    included = 0
    for source in sources.rglob("*.rs"):
        if {"tests", "benches", "examples"} & set(source.relative_to(sources).parts):
            continue
        text = source.read_text(encoding="utf-8")
        # Neither comments, nor the pages of the documentation, which its tests alone include.
        text = re.sub(r"#\[doc = include_str!.*|^\s*//.*", "", text, flags=re.MULTILINE)
        for kind, file in re.findall(r'include_(str|bytes)!\(\s*"([^"$]+)"\s*\)', text):
            assert (source.parent / file).is_file(), f"{source.relative_to(sources)}: include_{kind}!({file!r})"
            included += 1
    ours = {path.relative_to(repository()) for crate in repository().glob("farm-*/src") for path in crate.rglob("*")}
    crates = {path.name for path in sources.glob("farm-*")}
    for path in ours:
        if path.parts[0] in crates and (repository() / path).is_file():
            assert (sources / path).is_file(), path
    assert included > 50, included
