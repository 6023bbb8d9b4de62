"""Engines that run the views of `tracelake views`. Each is a module with a function of the shape of `RowsOfViews`."""

from collections.abc import Callable

import pyarrow as pa

# Runs the statements that create the views, and returns all rows of each of them.
RowsOfViews = Callable[[str, list[str]], dict[str, pa.Table]]
