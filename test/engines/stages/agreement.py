"""Engines read what tracelake says is there."""

from pathlib import Path

from ..comparison import differences
from ..readers import Reader
from ..report import Report
from ..rows import Rows, rows_of_arrow
from ..stored_tables import ALL_KEYS, KEYS, folder_of, tables_by_tracelake
from ..tracelake import commands


def compare_all(report: Report, readers: list[Reader], data: Path, stage: str) -> None:
    """One check for each engine: all rows of all tables against what tracelake says. No server runs meanwhile."""
    expected = tables_by_tracelake(data, ALL_KEYS)
    for reader in readers:
        report.check(stage, reader.name, lambda reader=reader: compare(reader, data, expected))
    report.check(stage, "tracelake verify", lambda: commands.verify(data) or 0)


def compare(reader: Reader, data: Path, expected: dict[str, Rows], *, further_columns: bool = False) -> int:
    """further_columns: the tables may have more of them, which are not compared"""
    faults, compared = [], 0
    for table, rows in expected.items():
        assert rows.cells or table not in KEYS, f"{table} is empty"
        read = reader.read(folder_of(data, table))
        found = rows_of_arrow(read.select(rows.columns) if further_columns else read)
        compared += len(found.cells)
        exceptions = {"null_lists_are_empty": reader.null_lists_are_empty, "micros_kept": reader.micros_kept}
        faults += [f"{table}: {fault}" for fault in differences(rows, found, ALL_KEYS[table], **exceptions)]
    assert not faults, "\n".join(faults)
    return compared
