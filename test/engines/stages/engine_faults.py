"""ClickHouse that is killed while it answers, slow, out of memory, or refuses: right answers, or clear errors."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from ..free_port import free_port
from ..readers import Reader
from ..report import Report
from ..tracelake.client import Client, RequestFailed
from ..tracelake.process import Server

_PROJECT = "faults/calls"
_CALLS = 600
_KILLS = 8
_ASKING = 4
_SEED = 31
_CONTAINS = {"$contains": {"input": {"$getField": "output"}, "substr": {"$literal": "refund"}}}
_QUESTION = {"project_id": _PROJECT, "query": {"$expr": _CONTAINS}}


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Only where ClickHouse is installed."""
    if not any(reader.name.startswith("ClickHouse") for reader in readers):
        return
    # Only here: the package may be missing.
    from ..clickhouse_server import PASSWORD, USER

    port = free_port()
    settings = {
        "TRACELAKE_CLICKHOUSE_URL": f"http://127.0.0.1:{port}",
        "TRACELAKE_CLICKHOUSE_USER": USER,
        "TRACELAKE_CLICKHOUSE_PASSWORD": PASSWORD,
        "TRACELAKE_CLICKHOUSE_FROM_MB": "0",
    }
    data = parent / "faults"
    with Server(data, data.with_suffix(".log"), settings) as product:
        faults = _Faults(product.client, port)
        report.check("faults", "no fault", lambda: faults.refuses((None, None)))
        report.check("faults", "killed while it answers", faults.kills)
        report.check("faults", "gone", faults.is_gone)
        report.check("faults", "out of memory", lambda: faults.refuses((502, 502), "--setting", "max_memory_usage=1"))
        report.check("faults", "wrong password", lambda: faults.refuses((503, 503), "--password", "another"))
        report.check("faults", "a version without a setting", lambda: faults.refuses((503, 503), "--setting", "of_later=1"))
        limit = ("--setting", "max_rows_to_sort=1", "--setting", "sort_overflow_mode=break")
        report.check("faults", "a limit that would cut", lambda: faults.refuses((None, 502), *limit))
    hasty = {**settings, "TRACELAKE_QUERY_TIMEOUT_S": "3"}
    with Server(data, data.with_suffix(".log"), hasty) as product:
        faults = _Faults(product.client, port)
        report.check("faults", "slower than the limit", lambda: faults.refuses((504, 504), "--pause", "30"))


class _Faults:
    """Questions whose answers are known, to a server that asks ClickHouse on `port`."""

    def __init__(self, client: Client, port: int):
        self._client = client
        self._port = port
        _fill(client)
        self._wanted = [ask(client, {"engine": "duckdb"}) for ask in _ASKED]

    def refuses(self, statuses: tuple[int | None, int | None], *options: str) -> int:
        """A request that names ClickHouse fails with a status, if any; others are answered, but not after a timeout."""
        with self._clickhouse(*options):
            for ask, wanted, status in zip(_ASKED, self._wanted, statuses, strict=True):
                self._expect(ask, wanted, status, {"engine": "clickhouse"})
                if status != 504:
                    self._expect(ask, wanted, None, {})
        return _CALLS

    def is_gone(self) -> int:
        for ask, wanted in zip(_ASKED, self._wanted, strict=True):
            self._expect(ask, wanted, 503, {"engine": "clickhouse"})
            self._expect(ask, wanted, None, {})
        return _CALLS

    def kills(self) -> int:
        """How many answers came, each of them whole; the others were refused."""
        chance = random.Random(_SEED)
        right, refused = [], []
        for _ in range(_KILLS):
            with self._clickhouse("--pause", "0.05") as child:
                stopped = threading.Event()
                asking = [threading.Thread(target=self._ask_until, args=(stopped, right, refused)) for _ in range(_ASKING)]
                for thread in asking:
                    thread.start()
                time.sleep(0.2 + chance.random())
                child.kill()
                time.sleep(0.3)
                stopped.set()
                for thread in asking:
                    thread.join()
        wrong = [answer for answer in right if answer not in self._wanted]
        assert not wrong, f"{len(wrong)} answers are wrong: {str(wrong[0])[:300]}"
        assert set(refused) == {503}, f"statuses of refusals: {set(refused)}"
        print(f"  {_KILLS} kills: {len(right)} answers, all right, {len(refused)} refusals", flush=True)
        return len(right)

    def _ask_until(self, stopped: threading.Event, right: list, refused: list[int]) -> None:
        while not stopped.is_set():
            for ask in _ASKED:
                try:
                    right.append(ask(self._client, {"engine": "clickhouse"}))
                except RequestFailed as failure:
                    refused.append(failure.status)

    def _expect(self, ask: Callable[[Client, dict], object], wanted: object, status: int | None, more: dict) -> None:
        try:
            found = ask(self._client, more)
        except RequestFailed as failure:
            assert failure.status == status, f"{more}: {failure} instead of {status or 'an answer'}"
            return
        assert status is None, f"{more}: an answer instead of {status}"
        assert found == wanted, f"{more}: {str(found)[:300]} instead of {str(wanted)[:300]}"

    @contextmanager
    def _clickhouse(self, *options: str):
        words = [sys.executable, "-m", "engines.clickhouse_server", "--port", str(self._port), *options]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
            assert "listening" in child.stdout.readline(), "ClickHouse does not start"
            try:
                yield child
            finally:
                child.kill()


def _count(client: Client, more: dict) -> object:
    return client.post("/calls/query_stats", {**_QUESTION, **more})["count"]


def _page(client: Client, more: dict) -> object:
    page = {"sort_by": [{"field": "op_name", "direction": "asc"}], "limit": 100, "columns": ["id"]}
    return [call["id"] for call in client.post("/calls/query", {**_QUESTION, **page, **more})["calls"]]


_ASKED = (_count, _page)


def _fill(client: Client) -> None:
    batch = [
        {
            "project_id": _PROJECT,
            "id": f"call-{number}",
            "trace_id": f"trace-{number}",
            "op_name": f"op-{number % 7}",
            "started_at": f"2026-01-01T10:00:{number % 60:02}Z",
            "ended_at": f"2026-01-01T10:01:{number % 60:02}Z",
            "attributes": {},
            "inputs": {},
            "output": "a refund" if number % 2 else "nothing",
            "summary": {},
        }
        for number in range(_CALLS)
    ]
    client.post(f"/v2/{_PROJECT}/calls/complete", {"batch": batch})
    client.post("/flush", {})
