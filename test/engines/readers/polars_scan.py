from pathlib import Path

import polars
import pyarrow as pa

from ..report import Skipped


class Polars:
    """Polars: the Delta log through delta-rs, Parquet with its own reader."""

    name = f"Polars {polars.__version__}"
    null_lists_are_empty = False
    micros_kept = 1

    def read(self, folder: Path) -> pa.Table:
        try:
            return polars.scan_delta(str(folder)).collect().to_arrow()
        except Exception as error:
            if "which polars does not support" in str(error):
                raise Skipped(str(error).strip().split("\n")[0]) from error
            raise
