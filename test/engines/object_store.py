"""An object store of the suite: versitygw over a folder, with the interface of S3."""

import os
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from .free_port import free_port
from .report import Skipped
from .started import started

KEY, SECRET, BUCKET, REGION = "key", "secret", "engines", "us-east-1"
_START_SECONDS_MAX = 60


def start_object_store(folder: Path) -> str:
    """Its address, which answers until the suite ends. Raises Skipped where it could not be built."""
    if "ENGINES_WITHOUT_VERSITYGW" in os.environ:
        raise Skipped(os.environ["ENGINES_WITHOUT_VERSITYGW"])
    (folder / BUCKET).mkdir(parents=True)
    port = free_port()
    words = [os.environ["ENGINES_VERSITYGW"], "--port", f"127.0.0.1:{port}", "posix", str(folder)]
    variables = {**os.environ, "ROOT_ACCESS_KEY": KEY, "ROOT_SECRET_KEY": SECRET}
    with folder.with_suffix(".log").open("wb") as log:
        child = subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    started.callback(child.kill)
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + _START_SECONDS_MAX
    while not _answers(address):
        if child.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"Start versitygw: it does not answer; its log is {folder.with_suffix('.log')}")
        time.sleep(0.1)
    return address


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=10)
    except urllib.error.HTTPError:
        # It wants a signature.
        return True
    except OSError:
        return False
    return True
