"""HTTP requests to a server."""

import base64
import http.client
import json
import threading
import time
import uuid
from urllib.parse import urlsplit

REQUEST_SECONDS_MAX = 120

# An engine may work for minutes, and the server closes idle connections.
IDLE_SECONDS_MAX = 5


class RequestFailed(Exception):
    def __init__(self, request: str, status: int, text: str):
        super().__init__(f"{request}: {status} {text[:500]}")
        self.status = status


class Client:
    """One connection a thread, kept open."""

    def __init__(self, address: str, key: str):
        self._host = urlsplit(address).netloc
        self._authorization = "Basic " + base64.b64encode(f"api:{key}".encode()).decode()
        self._connections = threading.local()

    def post(self, path: str, body: dict) -> dict:
        return self.send("POST", path, json.dumps(body).encode(), "application/json")

    def explained(self, path: str, body: dict) -> tuple[dict, str]:
        """The answer, and what the server says of its cost."""
        headers, text = self._answer("POST", path, json.dumps(body).encode(), "application/json", {"prefer": "explain"})
        return json.loads(text), headers["server-timing"] or ""

    def post_once(self, path: str, body: dict, key: str) -> dict:
        """With an idempotency key, under which the server keeps the answer."""
        return self.send("POST", path, json.dumps(body).encode(), "application/json", {"idempotency-key": key})

    def put(self, path: str, body: dict) -> dict:
        return self.send("PUT", path, json.dumps(body).encode(), "application/json")

    def lines(self, path: str, body: dict) -> list[dict]:
        """The values of an answer of JSON lines."""
        text = self.text("POST", path, json.dumps(body).encode(), "application/json")
        return [json.loads(line) for line in text.split("\n") if line]

    def upload(self, path: str, members: dict[str, str], file_name: str, content: bytes) -> dict:
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in members.items()
        ]
        disposition = f'Content-Disposition: form-data; name="file"; filename="{file_name}"'
        head = f"--{boundary}\r\n{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n".encode()
        body = b"".join([*parts, head, content, f"\r\n--{boundary}--\r\n".encode()])
        return self.send("POST", path, body, f"multipart/form-data; boundary={boundary}")

    def send(self, method: str, path: str, body: bytes, media_type: str, more: dict[str, str] | None = None) -> dict:
        text = self.text(method, path, body, media_type, more)
        return json.loads(text) if text else {}

    def text(self, method: str, path: str, body: bytes, media_type: str, more: dict[str, str] | None = None) -> str:
        """Raises RequestFailed for anything but a success, OSError and HTTPException for a lost connection."""
        return self._answer(method, path, body, media_type, more)[1]

    def _answer(self, method: str, path: str, body: bytes, media_type: str, more: dict[str, str] | None):
        headers = {"authorization": self._authorization, "content-type": media_type, **(more or {})}
        connection = self._connection()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, http.client.HTTPException):
            self._connections.open = None
            connection.close()
            raise
        if response.status >= 300:
            raise RequestFailed(f"{method} {path}", response.status, text)
        return response.headers, text

    def _connection(self) -> http.client.HTTPConnection:
        now = time.monotonic()
        is_idle = now - getattr(self._connections, "used_at", now) > IDLE_SECONDS_MAX
        if is_idle and getattr(self._connections, "open", None) is not None:
            self._connections.open.close()
            self._connections.open = None
        if getattr(self._connections, "open", None) is None:
            self._connections.open = http.client.HTTPConnection(self._host, timeout=REQUEST_SECONDS_MAX)
        self._connections.used_at = now
        return self._connections.open
