from pathlib import Path

import deltalake
import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder


class DeltaRs:
    """delta-rs with its own reader of Parquet."""

    name = f"delta-rs {deltalake.__version__}"
    null_lists_are_empty = False
    micros_kept = 1

    def read(self, folder: Path) -> pa.Table:
        query = QueryBuilder().register("t", DeltaTable(folder)).execute("SELECT * FROM t")
        return pa.table(query.read_all())

    def ids(self, folder: Path) -> list[str]:
        query = QueryBuilder().register("t", DeltaTable(folder)).execute("SELECT id FROM t")
        return pa.table(query.read_all())["id"].to_pylist()
