"""Engines that read a Delta table. Each is a module with a class of the shape of `Reader`."""

from pathlib import Path
from typing import Protocol

import pyarrow as pa


class Reader(Protocol):
    """
    name: as it is printed; null_lists_are_empty: the engine has no null in place of a list; micros_kept: it
    rounds times to so many microseconds, or cuts them off
    """

    name: str
    null_lists_are_empty: bool
    micros_kept: int

    def read(self, folder: Path) -> pa.Table:
        """The newest version of the table in `folder`, whole. Raises Skipped for what the engine cannot read at all."""
