"""A server of our own in a child process."""

import re
import signal
import subprocess
import time
from pathlib import Path
from typing import BinaryIO

from .client import Client
from .commands import PROGRAM, environment

ADMIN_KEY = "e" * 40
START_SECONDS_MAX = 120
STOP_SECONDS_MAX = 120


class StartRefused(Exception):
    """The server ended instead of listening; the message is what it printed."""

    def __init__(self, exit_code: int, output: str):
        super().__init__(output)
        self.exit_code = exit_code


class Server:
    """Serves `data` on a free port of 127.0.0.1 from construction until `stop` or `kill`. Raises StartRefused."""

    def __init__(self, data: Path, log: Path, settings: dict[str, str] | None = None):
        self.data = data
        self._log = log
        self._log_begins = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            self._child = _spawn(data, output, settings or {})
        self.client = Client(self._wait_for_address(), ADMIN_KEY)

    @property
    def is_running(self) -> bool:
        return self._child.poll() is None

    def end(self) -> int:
        """Ends it as an operator does, and returns its exit code."""
        self._child.send_signal(signal.SIGTERM)
        return self._child.wait(STOP_SECONDS_MAX)

    def stop(self) -> None:
        """The same where nothing may go wrong: everything is in files afterwards."""
        code = self.end()
        if code != 0:
            raise RuntimeError(f"Stop the server on {self.data}: exit code {code}; its log is {self._log}")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self._child.kill()
        self._child.wait()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, kind, *_) -> None:
        if not self.is_running:
            return
        if kind is None:
            self.stop()
        else:
            self.kill()

    def _wait_for_address(self) -> str:
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline:
            has_ended = not self.is_running
            said = self._log.read_bytes()[self._log_begins :].decode(errors="replace")
            found = re.search(r"listening on (http:\S+)", said)
            if found:
                return found[1]
            if has_ended:
                raise StartRefused(self._child.returncode, said)
            time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"Start a server on {self.data}: not within {START_SECONDS_MAX} s; its log is {self._log}")


def _spawn(data: Path, output: BinaryIO, settings: dict[str, str]) -> subprocess.Popen:
    words = ["serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    variables = environment(TRACELAKE_ADMIN_KEY=ADMIN_KEY, **settings)
    return subprocess.Popen([*PROGRAM, *words], env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
