from pathlib import Path

import polars
import pyarrow as pa


class Polars:
    """Polars: the Delta log through delta-rs, Parquet with its own reader."""

    name = f"Polars {polars.__version__}"
    null_lists_are_empty = False

    def read(self, folder: Path) -> pa.Table:
        return polars.scan_delta(str(folder)).collect().to_arrow()
