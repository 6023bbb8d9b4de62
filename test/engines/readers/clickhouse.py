from pathlib import Path

import chdb
import pyarrow as pa


class ClickHouse:
    """ClickHouse inside this process, with the table function that reads a Delta table of the local disk."""

    name = f"ClickHouse {chdb.engine_version}"
    # Arrays cannot be null in ClickHouse: it reads them as empty ones.
    null_lists_are_empty = True
    micros_kept = 1

    def read(self, folder: Path) -> pa.Table:
        path = str(folder).replace("\\", "\\\\").replace("'", "\\'")
        answer = chdb.query(f"SELECT * FROM deltaLakeLocal('{path}')", "Arrow")
        return pa.ipc.open_file(pa.BufferReader(answer.bytes())).read_all()
