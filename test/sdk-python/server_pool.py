"""Servers for one test each. While a test runs, the server of the next one starts."""

import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile

COMMAND = os.environ["TRACELAKE_SUITE_COMMAND"].split("\n")


class Server:
    """A tracelake in the vendor's dialect on a folder of its own and any free port of this machine."""

    def __init__(self):
        self.data = tempfile.mkdtemp(prefix="tracelake-sdk-")
        self.admin_key = secrets.token_hex(20)
        self._address = None
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TRACELAKE_")}
        environment |= {
            "TRACELAKE_ADMIN_KEY": self.admin_key,
            "TRACELAKE_DIALECT": "weave",
            "TRACELAKE_STRIP_LARGE": "on",
            "TRACELAKE_LOG_LEVEL": "error",
        }
        self._log = open(os.path.join(self.data, "stderr.txt"), "wb")
        self._process = subprocess.Popen(
            [*COMMAND, "serve", "--host", "127.0.0.1", "--port", "0", "--data", os.path.join(self.data, "data")],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )

    @property
    def address(self):
        while self._address is None:
            line = self._process.stdout.readline().decode()
            if line == "":
                raise RuntimeError(f"Start tracelake: it ended with {self._process.wait()}: {self.errors()}")
            found = re.search(r"listening on (http:\S+)", line)
            if found:
                self._address = found.group(1)
        return self._address

    def errors(self):
        with open(os.path.join(self.data, "stderr.txt"), encoding="utf-8") as log:
            return log.read()

    def create_key(self, name):
        """Issues a key as an operator would, beside the running server."""
        words = ["keys", "create", "--name", name, "--role", "admin", "--scope", "*"]
        told = subprocess.run(
            [*COMMAND, *words, "--data", os.path.join(self.data, "data")], capture_output=True, text=True, check=True
        )
        return re.search(r"\b[0-9a-f]{40}\b", told.stdout).group(0)

    def end(self):
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._log.close()
        told = self.errors()
        if told:
            # pytest shows it with the test where that fails.
            print(f"tracelake said: {told}")
        shutil.rmtree(self.data, ignore_errors=True)


class ServerPool:
    def __init__(self):
        self._next = None

    def take(self):
        server = self._next or Server()
        self._next = Server()
        return server

    def end(self):
        if self._next is not None:
            self._next.end()
            self._next = None
