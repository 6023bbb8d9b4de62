from pathlib import Path

import pyarrow as pa
import pyspark

from ..spark_session import spark


class Spark:
    """Spark with Delta Lake's own implementation."""

    name = f"Spark {pyspark.__version__}"
    null_lists_are_empty = False
    micros_kept = 1

    def read(self, folder: Path) -> pa.Table:
        return spark().read.format("delta").load(str(folder)).toArrow()
