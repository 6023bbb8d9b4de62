from pathlib import Path

import datafusion
import pyarrow as pa
from deltalake import DeltaTable


class DataFusion:
    """DataFusion with the table that delta-rs provides to it."""

    name = f"DataFusion {datafusion.__version__}"
    null_lists_are_empty = False

    def read(self, folder: Path) -> pa.Table:
        context = datafusion.SessionContext()
        context.register_table("t", DeltaTable(folder))
        return context.sql("SELECT * FROM t").to_arrow_table()
