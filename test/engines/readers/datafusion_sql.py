from pathlib import Path

import datafusion
import deltalake
import pyarrow as pa
from deltalake import DeltaTable

from ..report import Skipped


class DataFusion:
    """DataFusion with the table that delta-rs provides to it."""

    name = f"DataFusion {datafusion.__version__}"
    null_lists_are_empty = False
    micros_kept = 1

    def read(self, folder: Path) -> pa.Table:
        context = datafusion.SessionContext()
        context.register_table("t", DeltaTable(folder))
        try:
            return context.sql("SELECT * FROM t").to_arrow_table()
        except Exception as error:
            if "deletion vector" in str(error):
                raise Skipped(
                    f"with delta-rs {deltalake.__version__} it plans no scan with deletion vectors"
                ) from error
            raise
