"""Every engine reads every table: fresh, after many commits, and after compaction."""

from pathlib import Path

from ..filling.everything import change, fill, fill_settings
from ..readers import Reader
from ..report import Report
from ..stored_tables import ALL_KEYS, KEYS, folder_of, names_on_disk
from ..tracelake import commands
from ..tracelake.served_folder import ServedFolder
from .agreement import compare_all

COMMITS = 60


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    with ServedFolder(parent, "reading") as folder:
        fill(folder.client, "fresh", calls=3_000, others=60)
        fill_settings(folder.client)
        folder.stop()
        compare_all(report, readers, folder.data, "fresh")

        report.check("60 commits", "commits and checkpoints", lambda: _commit_often(folder))
        compare_all(report, readers, folder.data, "60 commits")

        commands.compact(folder.data)
        report.check("compacted", "one file a table", lambda: _expect_one_file_each(folder.data))
        compare_all(report, readers, folder.data, "compacted")


def _commit_often(folder: ServedFolder) -> int:
    names = names_on_disk(folder.data)
    assert names == sorted(ALL_KEYS), f"the tables on disk are {names}"
    number = 0
    while min(_versions(folder.data).values()) < COMMITS:
        batch = f"round-{number}"
        fill(folder.client, batch, calls=12, others=4)
        if number % 5 == 4:
            change(folder.client, batch)
        folder.flush()
        number += 1
        assert number <= 2 * COMMITS, f"after {number} rounds the tables are at {_versions(folder.data)}"
    folder.stop()
    without = [table for table in KEYS if not list(_log_of(folder.data, table).glob("*.checkpoint*.parquet"))]
    assert not without, f"no checkpoint in {', '.join(without)}"
    return 0


def _expect_one_file_each(data: Path) -> int:
    counts = {table: len(list(folder_of(data, table).glob("*.parquet"))) for table in KEYS}
    several = {table: count for table, count in counts.items() if count != 1}
    assert not several, f"Parquet files: {several}"
    return 0


def _versions(data: Path) -> dict[str, int]:
    return {table: max(int(path.stem) for path in _log_of(data, table).glob("*.json")) for table in KEYS}


def _log_of(data: Path, table: str) -> Path:
    return folder_of(data, table) / "_delta_log"
