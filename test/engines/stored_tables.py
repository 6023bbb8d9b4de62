"""The tables of a data folder, and what tracelake itself says is in them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from .rows import DOUBLE, LONG, STRING, STRINGS, TIME, Rows
from .tracelake import commands

# Tables that every round of the suite fills, and the columns that identify a row in them.
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
    "logs": ("project_id", "id"),
    "metrics": ("project_id", "id"),
    "jobs": ("project_id", "id"),
    "idempotency_keys": ("project_id", "id"),
    "table_rows": ("project_id", "digest"),
    "table_chunks": ("project_id", "digest"),
    "table_lists": ("project_id", "digest"),
}

# Tables that hold what the server does, or settings; some of them are empty here.
_FURTHER = (
    "audit",
    "retention",
    "rules",
    "rule_progress",
    "rule_deliveries",
    "run_figures",
    "run_rows",
)

ALL_KEYS = KEYS | dict.fromkeys(_FURTHER, ("project_id", "id"))

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
    return tables_by_tracelake(data, [table])[table]


def tables_by_tracelake(data: Path, tables: Iterable[str]) -> dict[str, Rows]:
    """What `tracelake sql` says: the files and what is only in the log. Two commands, as a start takes a second."""
    known = "SELECT table_name, column_name, data_type FROM duckdb_columns() ORDER BY column_index"
    described = commands.sql(data, known)
    columns = [(row["table_name"], row["column_name"], row["data_type"]) for row in described]
    kinds = {table: _kinds_of(table, columns) for table in tables}
    found: dict[str, list[dict]] = {table: [] for table in kinds}
    for line in commands.sql(data, " UNION ALL ".join(map(_rows_as_json, kinds, kinds.values()))):
        found[line["stored_in"]].append(json.loads(line["cells"]))
    return {table: _typed(kinds[table], rows) for table, rows in found.items()}


def _kinds_of(table: str, columns: list[tuple[str, str, str]]) -> dict[str, str]:
    stored = [(name, type) for of, name, type in columns if of == table and name not in COMPUTED.get(table, ())]
    assert stored, f"tracelake has no table {table}"
    return {name: _KINDS[type] for name, type in stored}


def _rows_as_json(table: str, kinds: dict[str, str]) -> str:
    selected = [f'epoch_us("{name}") AS "{name}"' if kind == TIME else f'"{name}"' for name, kind in kinds.items()]
    return f"SELECT '{table}' AS stored_in, to_json(r) AS cells FROM (SELECT {', '.join(selected)} FROM {table}) r"


def _typed(kinds: dict[str, str], rows: list[dict]) -> Rows:
    reads = {name: _reader_of(kind) for name, kind in kinds.items()}
    return Rows(kinds, [tuple(read(row[name]) for name, read in reads.items()) for row in rows])


def _reader_of(kind: str) -> Callable:
    convert = {DOUBLE: float, STRINGS: tuple}.get(kind)
    return lambda cell: cell if cell is None or convert is None else convert(cell)
