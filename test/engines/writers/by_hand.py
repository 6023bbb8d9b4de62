"""Commits as the protocol allows them, with files that no engine here would write."""

import json
import os
import time
import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable, QueryBuilder


def append_naive_times(folder: Path, ids: list[str], suffix: str) -> None:
    """The times in the file have no zone, as programs write them that only know UTC."""
    rows = _copies(folder, ids, suffix)
    for place, field in enumerate(rows.schema):
        if pa.types.is_timestamp(field.type):
            rows = rows.set_column(place, field.name, rows.column(place).cast(pa.timestamp("us")))
    _append(folder, rows)


def append_int96(folder: Path, ids: list[str], suffix: str) -> None:
    _append(folder, _copies(folder, ids, suffix), use_deprecated_int96_timestamps=True)


def append_milliseconds(folder: Path, ids: list[str], suffix: str) -> None:
    """The times in the file are whole milliseconds. The rows have to have such."""
    _append(folder, _copies(folder, ids, suffix), coerce_timestamps="ms")


def append_other_order(folder: Path, ids: list[str], suffix: str) -> None:
    rows = _copies(folder, ids, suffix)
    _append(folder, rows.select(sorted(rows.column_names, reverse=True)))


def append_fewer_columns(folder: Path, ids: list[str], suffix: str) -> None:
    """Columns of which no copied row has a value are not in the file."""
    rows = _copies(folder, ids, suffix)
    empty = [name for name in rows.column_names if rows.column(name).null_count == rows.num_rows]
    _append(folder, rows.drop_columns(empty))


def append_truncated_statistics(folder: Path, ids: list[str], suffix: str) -> None:
    """Bounds of texts are cut to 4 characters: the lower one as it is, the upper one with a character that ends it."""
    rows = _copies(folder, ids, suffix)
    lowest, highest = pc.min(rows["id"]).as_py(), pc.max(rows["id"]).as_py()
    statistics = {
        "numRecords": rows.num_rows,
        "minValues": {"id": lowest[:4]},
        "maxValues": {"id": highest[:4] + "\U0010ffff"},
        "tightBounds": False,
    }
    _append(folder, rows, statistics=statistics)


def demand(folder: Path, protocol: dict) -> None:
    _commit(folder, [{"protocol": protocol}])


def _copies(folder: Path, ids: list[str], suffix: str) -> pa.Table:
    among = ", ".join(repr(id) for id in ids)
    query = QueryBuilder().register("t", DeltaTable(folder)).execute(f"SELECT * FROM t WHERE id IN ({among})")
    rows = pa.table(query.read_all()).cast(pa.schema(DeltaTable(folder).schema().to_arrow()))
    place = rows.column_names.index("id")
    return rows.set_column(place, "id", pa.array([id + suffix for id in rows["id"].to_pylist()]))


def _append(folder: Path, rows: pa.Table, *, statistics: dict | None = None, **options) -> None:
    name = f"by-hand-{uuid.uuid4()}.parquet"
    pq.write_table(rows, folder / name, **options)
    add = {
        "path": name,
        "partitionValues": {},
        "size": (folder / name).stat().st_size,
        "modificationTime": _now_ms(),
        "dataChange": True,
    }
    if statistics is not None:
        add["stats"] = json.dumps(statistics)
    _commit(folder, [{"add": add}])


def _commit(folder: Path, actions: list[dict]) -> None:
    """Put-if-absent: the name is linked, which fails where somebody else has it, and the next one is tried."""
    lines = [{"commitInfo": {"timestamp": _now_ms(), "operation": "WRITE", "engineInfo": "by hand"}}, *actions]
    log = folder / "_delta_log"
    temporary = log / f".{uuid.uuid4()}.tmp"
    temporary.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    version = max(int(path.stem) for path in log.glob("*.json")) + 1
    while True:
        try:
            os.link(temporary, log / f"{version:020}.json")
            break
        except FileExistsError:
            version += 1
    temporary.unlink()


def _now_ms() -> int:
    return int(time.time() * 1000)
