"""A running bot's socket, in its folder. Through it an operator reads and writes the bot's table.

A request and its answer are one line of JSON each. The bot does each operation on its table, as DynamoDB
would. So the operator's command line works as it does in the cloud. Only the folder's owner may use the
socket.
"""

from __future__ import annotations

import contextlib
import os
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from local.dynamodb.table import Failed
from local.packing import pack, unpack

#: Does one operation, like ``LocalTable.run``.
Run = Callable[[str, Mapping[str, Any]], dict[str, Any]]
#: Queues a wake-up: its body, and seconds to wait.
Put = Callable[[str, float], object]

_PATIENCE = 10.0


class Closed(RuntimeError):
    """The bot does not answer on its socket."""


def socket_path(folder: Path, number: str) -> Path:
    """Return the path of a bot's socket."""
    return folder / f"{number}.socket"


@contextlib.contextmanager
def serve_socket(path: Path, run: Run, put: Put) -> Iterator[None]:
    """Serve the socket while the context is open. Raises OSError if the folder cannot hold a socket."""
    path.unlink(missing_ok=True)  # left by a process that was killed

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                self.wfile.write(pack(_answer(unpack(line.decode()), run, put)).encode() + b"\n")

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True

    with _short(path) as address, Server(address, Handler) as server:
        path.chmod(0o600)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            path.unlink(missing_ok=True)


class SocketClient:
    """A client of a running bot's socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._file = connection.makefile("rb")

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Have the bot do one operation on its table. Raises Failed, as the table does, and Closed."""
        answer = self._ask({"operation": operation, "arguments": dict(arguments)})
        if "failed" in answer:
            raise Failed(answer["failed"], answer.get("item"), answer.get("reasons"))
        done: dict[str, Any] = answer["done"]
        return done

    def put(self, body: str, delay: float) -> None:
        """Queue a wake-up. Raises Closed."""
        self._ask({"wake": body, "delay": delay})

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._connection.close()

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            self._connection.sendall(pack(question).encode() + b"\n")
            line = self._file.readline()
        except OSError:
            line = b""
        if not line:
            raise Closed("the bot ended meanwhile")
        answer: dict[str, Any] = unpack(line.decode())
        return answer


def connect_to_bot(path: Path) -> SocketClient | None:
    """Connect to a bot's socket. Return None if no bot is running."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_PATIENCE)
    try:
        with _short(path) as address:
            connection.connect(address)
    except OSError:
        connection.close()
        return None
    return SocketClient(connection)


def _answer(question: dict[str, Any], run: Run, put: Put) -> dict[str, Any]:
    if "wake" in question:
        put(question["wake"], question["delay"])
        return {"done": {}}
    try:
        return {"done": run(question["operation"], question["arguments"])}
    except Failed as failed:
        return {"failed": failed.code, "item": failed.item, "reasons": failed.reasons}


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """Yield the path, made short if possible, because a socket's address has about 100 characters at most.

    On Linux a path through ``/proc`` is short for every folder. Elsewhere the path stays as it is.
    """
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        by_number = Path(f"/proc/self/fd/{folder}")
        yield str(by_number / path.name if by_number.exists() else path)
    finally:
        os.close(folder)
