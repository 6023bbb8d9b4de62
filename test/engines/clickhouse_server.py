"""A stand-in for a ClickHouse server: its HTTP interface, with ClickHouse inside this process behind it."""

import argparse
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import chdb

USER, PASSWORD = "reader", "pass word"
# Parameters of the HTTP interface that are not settings of the query, or are applied before it.
_OF_HTTP = ("wait_end_of_query", "readonly")


class ClickHouseServer:
    """Answers on a free port of 127.0.0.1, or the given one, until `stop`. Reads files below the current folder."""

    def __init__(self, port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def answered(self) -> int:
        """How many statements it has answered."""
        return _Handler.answered

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answered = 0
    password = PASSWORD
    # Settings of the user; a statement may ask for other values.
    profile: dict[str, str] = {}
    # Between the halves of an answer.
    pause_seconds = 0.0

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        if (self.headers["x-clickhouse-user"], self.headers["x-clickhouse-key"]) != (USER, self.password):
            return self._answer(403, "Code: 516. DB::Exception: Authentication failed", "516")
        query = parse_qsl(urlsplit(self.path).query, keep_blank_values=True)
        parameters = {name.removeprefix("param_"): value for name, value in query if name.startswith("param_")}
        asked = {name: value for name, value in query if not name.startswith("param_") and name not in _OF_HTTP}
        settings = [f"{name} = '{value}'" for name, value in {**self.profile, **asked}.items()]
        statement = text.replace("FORMAT JSONCompact", f"SETTINGS {', '.join(settings)} FORMAT JSONCompact")
        try:
            answer = chdb.query(statement, "JSONCompact", params=parameters).bytes().decode()
        except Exception as error:
            code = str(error).partition("Code: ")[2].partition(".")[0]
            return self._answer(500, str(error), code)
        _Handler.answered += 1
        self._answer(200, answer, None)

    def _answer(self, status: int, text: str, code: str | None) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        if code is not None:
            self.send_header("x-clickhouse-exception-code", code)
        self.end_headers()
        half = len(body) // 2 if self.pause_seconds > 0 else 0
        self.wfile.write(body[:half])
        self.wfile.flush()
        time.sleep(self.pause_seconds)
        self.wfile.write(body[half:])

    def log_message(self, *_) -> None:
        pass


def main() -> None:
    """Serves until it is ended, in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--password", default=PASSWORD, help="the only one that it accepts")
    parser.add_argument("--setting", action="append", default=[], help="NAME=VALUE, of the profile of the user")
    parser.add_argument("--pause", type=float, default=0, help="seconds between the halves of an answer")
    options = parser.parse_args()
    _Handler.password, _Handler.pause_seconds = options.password, options.pause
    _Handler.profile = dict(setting.split("=") for setting in options.setting)
    server = ClickHouseServer(options.port)
    print(f"listening on {server.url} for {USER} with {PASSWORD}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
