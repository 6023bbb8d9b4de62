"""What the calls of a folder have to be, whoever changes them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ..comparison import differences
from ..filling.odd_values import PROJECT
from ..rows import Cell, Rows
from ..stored_tables import KEYS, rows_by_tracelake
from ..tracelake.client import Client

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class CallsModel:
    """Rows of the table `calls` by id. Of those that the server has written since, only the id is sure."""

    def __init__(self, rows: Rows):
        self._kinds = rows.kinds
        self._rows = {row[rows.columns.index("id")]: row for row in rows.cells}
        self._changed: set[str] = set()

    def copy_rows(self, ids: list[str], suffix: str) -> list[str]:
        """Returns the ids of the copies."""
        copies = {id + suffix: self._with(id, "id", id + suffix) for id in ids}
        self._rows |= copies
        return list(copies)

    def delete(self, ids: list[str]) -> None:
        for id in ids:
            del self._rows[id]
            self._changed.discard(id)

    def set_cell(self, ids: list[str], column: str, value: Cell) -> None:
        for id in ids:
            self._rows[id] = self._with(id, column, value)

    def written_by_server(self, ids: list[str]) -> None:
        """New ones, or ones that got another value."""
        self._changed |= set(ids)
        self._rows |= dict.fromkeys(ids, ())

    def expect_over_http(self, client: Client) -> int:
        """Ids and starts of all calls, and how many there are."""
        found = client.lines("/calls/stream_query", {"project_id": PROJECT, "columns": ["id", "started_at"]})
        ids = [call["id"] for call in found]
        assert len(ids) == len(set(ids)), f"over HTTP {_some(sorted(id for id in set(ids) if ids.count(id) > 1))} twice"
        _expect_same(set(ids), set(self._rows), "over HTTP")
        for call in found:
            started = self._cell(call["id"], "started_at")
            if started is not None:
                assert _microseconds(call["started_at"]) == started, f"{call['id']} starts at {call['started_at']}"
        count = client.post("/calls/query_stats", {"project_id": PROJECT})["count"]
        assert count == len(self._rows), f"query_stats counts {count} instead of {len(self._rows)}"
        return len(found)

    def expect_in(self, data: Path) -> int:
        """All cells of what the server has not written, and the ids of the rest, as `tracelake sql` has them."""
        found = rows_by_tracelake(data, "calls")
        place = found.columns.index("id")
        ids = found.column("id")
        _expect_same(set(ids), set(self._rows), "stored")
        assert len(ids) == len(set(ids)), "ids are stored twice"
        known = [row for id, row in self._rows.items() if id not in self._changed]
        faults = differences(
            Rows(self._kinds, known),
            replace(found, cells=[row for row in found.cells if row[place] not in self._changed]),
            KEYS["calls"],
        )
        assert not faults, "\n".join(faults)
        return len(found.cells)

    def _cell(self, id: str, column: str) -> Cell:
        if id in self._changed:
            return None
        return self._rows[id][list(self._kinds).index(column)]

    def _with(self, id: str, column: str, value: Cell) -> tuple[Cell, ...]:
        place = list(self._kinds).index(column)
        row = self._rows[id]
        return (*row[:place], value, *row[place + 1 :])


def _expect_same(found: set[str], expected: set[str], where: str) -> None:
    lost, extra = sorted(expected - found), sorted(found - expected)
    assert not lost, f"{len(lost)} calls are missing {where}: {_some(lost)}"
    assert not extra, f"{len(extra)} calls should not be there {where}: {_some(extra)}"


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")


def _microseconds(text: str) -> int:
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(microseconds=1)
