"""The tables of a data folder, and what tracelake itself says is in them."""

from collections.abc import Callable
from pathlib import Path

from .rows import DOUBLE, LONG, STRING, STRINGS, TIME, Rows
from .tracelake import commands

# Every stored table, and the columns that identify a row in it.
KEYS = {
    "calls": ("project_id", "id"),
    "costs": ("project_id", "id"),
    "feedback": ("project_id", "id"),
    "files": ("project_id", "digest"),
    "annotation_queues": ("project_id", "id"),
    "annotation_queue_items": ("project_id", "id"),
    "annotation_progress": ("project_id", "id"),
    "objects": ("project_id", "id"),
    "object_labels": ("project_id", "id"),
    "jobs": ("project_id", "id"),
    "idempotency_keys": ("project_id", "id"),
    "table_rows": ("project_id", "digest"),
    "table_chunks": ("project_id", "digest"),
    "table_lists": ("project_id", "digest"),
}

# Tables that the suite does not fill, or not itself; they are of the same kind as the others.
NOT_FILLED = (
    "audit",
    "logs",
    "metrics",
    "retention",
    "rules",
    "rule_progress",
    "rule_deliveries",
    "run_figures",
    "run_rows",
)

# Columns that SQL computes; no file has them.
COMPUTED = {"calls": ("cost", "tokens", "models")}

_KINDS = {
    "VARCHAR": STRING,
    "BIGINT": LONG,
    "DOUBLE": DOUBLE,
    "TIMESTAMP WITH TIME ZONE": TIME,
    "VARCHAR[]": STRINGS,
}


def folder_of(data: Path, table: str) -> Path:
    return data / "tables" / table


def names_on_disk(data: Path) -> list[str]:
    return sorted(path.name for path in (data / "tables").iterdir())


def rows_by_tracelake(data: Path, table: str) -> Rows:
    """What `tracelake sql` says: the files and what is only in the log."""
    described = commands.sql(data, f"DESCRIBE {table}")
    stored = [column for column in described if column["column_name"] not in COMPUTED.get(table, ())]
    kinds = {column["column_name"]: _KINDS[column["column_type"]] for column in stored}
    selected = [f'epoch_us("{name}") AS "{name}"' if kind == TIME else f'"{name}"' for name, kind in kinds.items()]
    found = commands.sql(data, f"SELECT {', '.join(selected)} FROM {table}")
    reads = {name: _reader_of(kind) for name, kind in kinds.items()}
    return Rows(kinds, [tuple(read(row[name]) for name, read in reads.items()) for row in found])


def _reader_of(kind: str) -> Callable:
    convert = {DOUBLE: float, STRINGS: tuple}.get(kind)
    return lambda cell: cell if cell is None or convert is None else convert(cell)
