import os
from pathlib import Path

import pyarrow as pa

from ..trino_cluster import cluster


class Trino:
    """A cluster of Trino with its Delta Lake connector."""

    name = Path(os.environ["ENGINES_TRINO"]).name.replace("trino-server-", "Trino ")
    null_lists_are_empty = False
    # The connector has times of Delta Lake in milliseconds.
    micros_kept = 1000

    def read(self, folder: Path) -> pa.Table:
        return cluster().read_delta(f"local://{folder}")
