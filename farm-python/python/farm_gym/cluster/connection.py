"""Connects to a Ray cluster, or starts one on this machine."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from farm_gym.errors import ConfigError
from farm_gym.train.jobs import need

__all__ = ["connected", "size"]

#: Time-out for a cluster's answer, in seconds.
SECONDS = 5.0


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Connects to a cluster, and disconnects at the end of the block.

    Args:
        address: ``HOST:PORT`` of its head node, or ``auto`` for the cluster on this machine. None means the address in the environment
            variable ``RAY_ADDRESS``, or all cores of this machine if the variable is not set.

    Raises:
        ConfigError: Ray is not installed, or the cluster can't be reached.
    """
    need(("ray",), "python -m farm_gym.cluster", "cluster")
    import ray

    if ray.is_initialized():
        # A caller in the same process has already connected, and stays connected.
        yield
        return
    address = address or os.environ.get("RAY_ADDRESS") or None
    arguments: dict[str, Any] = {"logging_level": "WARNING", "log_to_driver": False}
    if address is None or address == "local":
        arguments.update(address="local", include_dashboard=False)
    else:
        if address != "auto":
            _knock(address)
        arguments["address"] = address
    # Ray reports dead machines on standard output, which is reserved for the command's output. The engine does not write its output through
    # Python.
    with redirect_stdout(sys.stderr):
        _join(address, arguments)
        try:
            yield
        finally:
            ray.shutdown()


def _join(address: str | None, arguments: dict[str, Any]) -> None:
    import ray
    from ray.exceptions import RayError

    try:
        ray.init(**arguments)
    except (ConnectionError, RuntimeError, ValueError, OSError, RayError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        # Ray sends its token to a named address only with RAY_AUTH_MODE=token.
        token = "" if "RAY_AUTH_MODE" in os.environ else "set RAY_AUTH_MODE=token if the cluster requires a token; "
        raise ConfigError(f"--address {address or 'local'}: the cluster can't be joined: {first}; {token}{_REMEDY}") from None


_REMEDY = "`ray start --head` starts one and prints its address; without --address all cores of this machine are used"


def _knock(address: str) -> None:
    """Checks whether a Ray cluster answers. Ray itself would wait for minutes."""
    host, colon, port = address.rpartition(":")
    if "://" in address:
        raise ConfigError(f"--address {address}: expected HOST:PORT of the head, or `auto`; run the command on a machine of the cluster")
    if not colon or not host or not port.isdigit() or int(port) > 65_535:
        raise ConfigError(f"--address {address}: expected HOST:PORT, such as 10.0.0.1:6379, or `auto`")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS) as connection:
            answers = os.environ.get("RAY_USE_TLS") == "1" or _speaks_grpc(connection)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"--address {address}: the cluster can't be reached: {reason}; {_REMEDY}") from None
    if not answers:
        raise ConfigError(f"--address {address}: the server there is not a Ray cluster; {_REMEDY}")


def _speaks_grpc(connection: socket.socket) -> bool:
    """Whether the other side opens like a gRPC server, with HTTP/2 settings (RFC 9113, section 3.4)."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    head = b""
    while len(head) < 9:
        part = connection.recv(9 - len(head))
        if not part:
            return False
        head += part
    return head[3:5] == b"\x04\x00"


def size() -> tuple[int, int]:
    """The current numbers of machines and cores in the cluster."""
    import ray

    nodes = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call,unused-ignore]
    return len(nodes), int(sum(node["Resources"].get("CPU", 0.0) for node in nodes))
