"""Changes by delta-rs."""

from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder, write_deltalake


def append_copies(folder: Path, ids: list[str], suffix: str) -> None:
    """Appends rows like those with `ids`, whose own ids end with `suffix`."""
    table = DeltaTable(folder)
    columns = [field.name for field in table.schema().fields]
    selected = ", ".join(f"id || '{suffix}' AS id" if name == "id" else f'"{name}"' for name in columns)
    rows = pa.table(
        QueryBuilder().register("t", table).execute(f"SELECT {selected} FROM t WHERE {_among(ids)}").read_all()
    )
    write_deltalake(table, rows, mode="append")


def delete(folder: Path, ids: list[str], column: str = "id") -> None:
    DeltaTable(folder).delete(_among(ids, column))


def optimize(folder: Path) -> None:
    DeltaTable(folder).optimize.compact()


def vacuum(folder: Path, hours: int = 0, *, unnamed_files_too: bool = True) -> None:
    """unnamed_files_too: removes all that the log does not name, not only what it says is removed"""
    DeltaTable(folder).vacuum(
        retention_hours=hours, dry_run=False, enforce_retention_duration=False, full=unnamed_files_too
    )


def checkpoint(folder: Path) -> None:
    DeltaTable(folder).create_checkpoint()


def _among(values: list[str], column: str = "id") -> str:
    return f"{column} IN ({', '.join(repr(value) for value in values)})"
