"""A small HTTP server that gives the same answer to every request and counts connections."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Loopback:
    """Set `answer` (JSON), `raw` (bytes) or `hang_up`; read `bodies` and `connections`."""

    def __init__(self) -> None:
        self.answer: Any = {"ok": True, "result": True}
        self.raw: bytes | None = None
        self.hang_up = False
        self.bodies: list[bytes] = []
        self.connections = 0
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 5

            def setup(self) -> None:
                loopback.connections += 1
                super().setup()

            def do_POST(self) -> None:
                loopback.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                if loopback.hang_up:
                    self.close_connection = True
                    return
                body = json.dumps(loopback.answer).encode() if loopback.raw is None else loopback.raw
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_PUT = do_POST  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
