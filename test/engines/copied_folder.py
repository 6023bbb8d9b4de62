"""A data folder that is made once and then copied for each check, so that no check sees what another one left."""

import hashlib
import shutil
from pathlib import Path

from .filling.calls import call, complete
from .filling.everything import change, fill
from .filling.odd_values import NEAR_TIMES, PROJECT
from .tracelake.served_folder import ServedFolder

# What a server may write before it knows whether it wants the folder.
NOT_OF_THE_TABLES = ("lock.duckdb", "server.json", "tmp")

FILES = 5
CALLS_A_FILE = 60


def make_original(parent: Path) -> Path:
    """
    Calls in several small files, rows in every other table, and some calls that are only in the log. Made once.
    """
    made = parent / "original"
    if made.exists():
        return made
    with ServedFolder(parent, "original") as folder:
        for number in range(FILES):
            batch = f"base{number}"
            fill(folder.client, batch, calls=CALLS_A_FILE, others=8, times=NEAR_TIMES)
            folder.stop()
        change(folder.client, "base0")
        folder.stop()
        # Only in the log: new calls, a change of one in a file, and the deletion of another.
        complete(folder.client, [call(number, "in-the-log", times=NEAR_TIMES) for number in range(12)])
        folder.client.post("/call/update", {"project_id": PROJECT, "call_id": "base1-0", "display_name": "renamed"})
        folder.client.post("/calls/delete", {"project_id": PROJECT, "call_ids": ["base1-1"]})
        folder.kill()
    return folder.data


def copy_of(original: Path, parent: Path, name: str) -> ServedFolder:
    folder = ServedFolder(parent, name)
    shutil.copytree(original, folder.data)
    return folder


def bytes_of(data: Path) -> dict[str, str]:
    """A digest of each file of the tables, by path."""
    files = (path for path in data.rglob("*") if path.is_file())
    inside = {str(path.relative_to(data)): path for path in files}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in inside.items()
        if name.split("/")[0] not in NOT_OF_THE_TABLES
    }
