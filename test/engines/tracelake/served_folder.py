"""A data folder with or without a server on it."""

from pathlib import Path

from .client import Client, RequestFailed
from .process import Server


class ServedFolder:
    """A data folder of its own below `parent`; the server's log lies beside it."""

    def __init__(self, parent: Path, name: str):
        self.data = parent / name
        self.log = parent / f"{name}.log"
        self._server: Server | None = None

    @property
    def client(self) -> Client:
        if self._server is None:
            self._server = Server(self.data, self.log)
        return self._server.client

    def start(self) -> None:
        """Raises StartRefused where the server does not want the folder."""
        self._server = Server(self.data, self.log)

    def stop(self) -> None:
        if self._server is not None:
            server, self._server = self._server, None
            server.stop()

    def end(self) -> None:
        """Asks it to stop, whatever its exit code."""
        if self._server is not None:
            server, self._server = self._server, None
            server.end()

    def kill(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server = None

    def flush(self) -> None:
        """Puts everything that was acknowledged into files; the server runs afterwards."""
        try:
            self.client.post("/flush", {})
        except RequestFailed as failure:
            if failure.status != 404:
                raise
            self.stop()
            self.start()

    def __enter__(self) -> "ServedFolder":
        return self

    def __exit__(self, *_) -> None:
        self.kill()
