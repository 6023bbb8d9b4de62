"""An engine changes every table while no server runs; what the server has of them afterwards is known cell by cell."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..comparison import differences
from ..copied_folder import copy_of
from ..filling.everything import fill
from ..readers import Reader
from ..rows import Rows
from ..stored_tables import KEYS, folder_of, tables_by_tracelake
from ..tracelake import commands
from .agreement import compare

DELETED_EACH = 3

# Deletes rows of a table (its folder) of which the column has one of these values.
Delete = Callable[[Path, list[str], str], None]


def check(readers: list[Reader], original: Path, parent: Path, name: str, delete: Delete, optimize: Callable) -> int:
    with copy_of(original, parent, name) as folder:
        before = tables_by_tracelake(folder.data, KEYS)
        expected, deleted = {}, {}
        for table, rows in before.items():
            column = KEYS[table][1]
            # Rows that are in files: what the log has of calls are the newest ones and a change of base1.
            ids = sorted(id for id in set(rows.column(column)) if not id.startswith(("base1", "in-the-log")))
            deleted[table] = ids[:DELETED_EACH]
            delete(folder_of(folder.data, table), deleted[table], column)
            optimize(folder_of(folder.data, table))
            expected[table] = _without(rows, column, deleted[table])
        folder.start()
        fill(folder.client, "after", calls=6, others=4)
        folder.stop()
        _expect_earlier_rows(folder.data, expected, deleted)
        # Lists of rows name those that were deleted, and it is right that this is told.
        commands.verify(folder.data, apart_from="of its rows are missing")
        now = tables_by_tracelake(folder.data, KEYS)
        return sum(compare(reader, folder.data, now) for reader in readers)


def _without(rows: Rows, column: str, ids: list[str]) -> Rows:
    place = rows.columns.index(column)
    return replace(rows, cells=[row for row in rows.cells if row[place] not in ids])


def _expect_earlier_rows(data: Path, expected: dict[str, Rows], deleted: dict[str, list[str]]) -> None:
    """Rows that the server has added since are left out."""
    faults = []
    stored = tables_by_tracelake(data, KEYS)
    for table, rows in expected.items():
        found = stored[table]
        known = set(rows.column(KEYS[table][1]))
        place = found.columns.index(KEYS[table][1])
        undeleted = set(found.column(KEYS[table][1])) & set(deleted[table])
        faults += [f"{table}: {id} is there again" for id in sorted(undeleted)]
        earlier = replace(found, cells=[row for row in found.cells if row[place] in known])
        faults += [f"{table}: {fault}" for fault in differences(rows, earlier, KEYS[table])]
    assert not faults, "\n".join(faults)
