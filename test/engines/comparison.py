"""What differs between two readings of one table."""

from collections import Counter
from math import copysign

from .rows import STRINGS, TIME, Cell, Rows

FAULTS_SHOWN = 5
CELL_CHARS_SHOWN = 120


def differences(
    expected: Rows, found: Rows, key: tuple[str, str], *, null_lists_are_empty: bool = False, micros_kept: int = 1
) -> list[str]:
    """A line for each fault, at most a handful; nothing where both hold the same rows.

    null_lists_are_empty: the engine has no null in place of a list; micros_kept: it rounds times to so
    many, or cuts them off
    """
    if found.kinds != expected.kinds:
        return [_schema_fault(expected, found)]
    if null_lists_are_empty:
        expected, found = _with_empty_lists(expected), _with_empty_lists(found)
    wanted, got = _by_key(expected, key), _by_key(found, key)
    faults = [f"{_shown(row)} occurs {count} times" for row, count in _doubled(found, key)]
    faults += [f"{_shown(row)} is missing" for row in wanted.keys() - got.keys()]
    faults += [f"{_shown(row)} should not be there" for row in got.keys() - wanted.keys()]
    for row in wanted.keys() & got.keys():
        faults += _cell_faults(expected, row, _as_kept(micros_kept, expected, wanted[row], got[row]), got[row])
    more = len(faults) - FAULTS_SHOWN
    return faults if more <= 0 else [*faults[:FAULTS_SHOWN], f"and {more} more"]


def keys_of(rows: Rows, key: tuple[str, str]) -> list[tuple[Cell, ...]]:
    return list(zip(*(rows.column(name) for name in key)))


def _schema_fault(expected: Rows, found: Rows) -> str:
    differing = [
        f"{name}: {found.kinds.get(name)} instead of {expected.kinds.get(name)}"
        for name in {**expected.kinds, **found.kinds}
        if found.kinds.get(name) != expected.kinds.get(name)
    ]
    return f"other columns: {', '.join(differing) or 'their order'}"


def _with_empty_lists(rows: Rows) -> Rows:
    lists = {place for place, kind in enumerate(rows.kinds.values()) if kind == STRINGS}
    cells = [tuple((cell or ()) if place in lists else cell for place, cell in enumerate(row)) for row in rows.cells]
    return Rows(rows.kinds, cells)


def _as_kept(micros: int, rows: Rows, wanted: tuple, got: tuple) -> tuple:
    """The expected cells, with times as the engine keeps them: rounded, unless the found one is cut off."""
    if micros == 1:
        return wanted
    return tuple(
        _rounded(expected, found, micros) if kind == TIME else expected
        for kind, expected, found in zip(rows.kinds.values(), wanted, got)
    )


def _rounded(time: Cell, found: Cell, micros: int) -> Cell:
    if time is None or found == time // micros * micros:
        return None if time is None else found
    return (time + micros // 2) // micros * micros


def _by_key(rows: Rows, key: tuple[str, str]) -> dict[tuple, tuple]:
    return dict(zip(keys_of(rows, key), rows.cells))


def _doubled(rows: Rows, key: tuple[str, str]) -> list[tuple[tuple, int]]:
    return [(row, count) for row, count in Counter(keys_of(rows, key)).items() if count > 1]


def _cell_faults(rows: Rows, row: tuple, wanted: tuple, got: tuple) -> list[str]:
    return [
        f"{_shown(row)} {name}: {_shown(found)} instead of {_shown(expected)}"
        for name, expected, found in zip(rows.columns, wanted, got)
        if not _is_same(found, expected)
    ]


def _is_same(found: Cell, expected: Cell) -> bool:
    """To the bit: 0.0 equals -0.0 otherwise."""
    return found == expected and (type(found) is not float or copysign(1, found) == copysign(1, expected))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= CELL_CHARS_SHOWN else f"{text[:CELL_CHARS_SHOWN]}…"
