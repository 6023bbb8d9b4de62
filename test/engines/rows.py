"""Rows as plain values, so that what two engines read can be compared to the letter."""

from dataclasses import dataclass

import pyarrow as pa

Cell = None | str | int | float | tuple

STRING, LONG, DOUBLE, TIME, STRINGS = "string", "long", "double", "timestamp", "array of strings"


@dataclass(frozen=True)
class Rows:
    """Columns in their order with their kinds, and a cell for each. Times are microseconds since 1970 UTC."""

    kinds: dict[str, str]
    cells: list[tuple[Cell, ...]]

    @property
    def columns(self) -> list[str]:
        return list(self.kinds)

    def column(self, name: str) -> list[Cell]:
        place = self.columns.index(name)
        return [row[place] for row in self.cells]


def rows_of_arrow(table: pa.Table) -> Rows:
    """Raises TypeError for a type that no stored column has, ValueError for times finer than microseconds."""
    kinds = {field.name: kind_of(field.type) for field in table.schema}
    columns = [_cells(table.column(place), kind) for place, kind in enumerate(kinds.values())]
    return Rows(kinds, list(zip(*columns)) if columns else [])


def kind_of(type: pa.DataType) -> str:
    if pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type):
        return STRING
    if pa.types.is_int64(type):
        return LONG
    if pa.types.is_float64(type):
        return DOUBLE
    if pa.types.is_timestamp(type) and type.tz is not None:
        return TIME
    if _is_list(type) and kind_of(type.value_type) == STRING:
        return STRINGS
    raise TypeError(f"no stored column is read as {type}")


def _is_list(type: pa.DataType) -> bool:
    return pa.types.is_list(type) or pa.types.is_large_list(type)


def _cells(column: pa.ChunkedArray, kind: str) -> list[Cell]:
    if kind == TIME:
        return column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_pylist()
    if kind == STRINGS:
        return [None if cell is None else tuple(cell) for cell in column.to_pylist()]
    return column.to_pylist()
