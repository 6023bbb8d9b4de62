"""ClickHouse that is killed while it answers, slow, out of memory, or refuses: right answers, or clear errors."""

import functools
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
_SECONDS_MAX = 120
_SEED = 31
_CONTAINS = {"$contains": {"input": {"$getField": "output"}, "substr": {"$literal": "refund"}}}
_NAMED = {"engine": "clickhouse"}
_CUTS = ("--setting", "max_rows_to_sort=1", "--setting", "sort_overflow_mode=break")
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
        report.check("faults", "no fault", lambda: faults.refuses((None, None), ""))
        report.check("faults", "killed while it answers", faults.kills)
        report.check("faults", "gone", faults.is_gone)
        for what, statuses, reason, *setting in (
            ("out of memory", (502, 502), "memory", "--setting", "max_memory_usage=1"),
            ("wrong password", (503, 503), "user and password", "--password", "another"),
            ("a version without a setting", (503, 503), "could not run", "--setting", "of_later=1"),
            ("a limit that would cut", (None, 502), "exceeds a limit", *_CUTS),
        ):
            check = functools.partial(faults.refuses, statuses, reason, *setting)
            report.check("faults", what, check)
    hasty = {**settings, "TRACELAKE_QUERY_TIMEOUT_S": "3"}
    with Server(data, data.with_suffix(".log"), hasty) as product:
        faults = _Faults(product.client, port)
        report.check("faults", "slower than the limit", lambda: faults.refuses((504, 504), "", "--pause", "30"))


class _Faults:
    """Questions whose answers are known, to a server that asks ClickHouse on `port`."""

    def __init__(self, client: Client, port: int):
        self._client = client
        self._port = port
        _fill(client)
        self._wanted = [ask(client, {"engine": "duckdb"})[0] for ask in _ASKED]

    def refuses(self, statuses: tuple[int | None, int | None], reason: str, *options: str) -> int:
        """
        A request that names ClickHouse fails with a status, if any. Any other meets the same fault, as the reason for
        its engine says, and is answered, but not after a timeout.
        """
        for ask, wanted, status in zip(_ASKED, self._wanted, statuses, strict=True):
            self._ends_pause(ask, wanted)
            with self._clickhouse(*options):
                self._replaces(ask, wanted, status, reason)
                self._expect(ask, wanted, status, _NAMED)
        return _CALLS

    def is_gone(self) -> int:
        for ask, wanted in zip(_ASKED, self._wanted, strict=True):
            self._ends_pause(ask, wanted)
            self._replaces(ask, wanted, 503, "cannot be reached")
            self._expect(ask, wanted, 503, _NAMED)
        return _CALLS

    def _ends_pause(self, ask: Callable, wanted: object) -> None:
        """Until a named request is answered, a server that was not available is left alone."""
        with self._clickhouse():
            self._expect(ask, wanted, None, _NAMED)

    def _replaces(self, ask: Callable, wanted: object, status: int | None, reason: str) -> None:
        """A request that names no engine."""
        timing = self._expect(ask, wanted, 504 if status == 504 else None, {})
        engine = "clickhouse" if status is None else "duckdb"
        why = "much is to be searched" if status is None else reason
        if status != 504:
            assert f'desc="{engine}"' in timing and why in timing, f"{timing}: not {engine} because {why}"

    def kills(self) -> int:
        """How many answers came, each of them whole; the others were refused."""
        chance = random.Random(_SEED)
        right, refused = [], []
        for _ in range(_KILLS):
            with self._clickhouse("--pause", "0.05") as child:
                stopped, answers, refusals = threading.Event(), len(right), len(refused)
                asking = [threading.Thread(target=self._ask_until, args=(stopped, right, refused)) for _ in range(_ASKING)]
                for thread in asking:
                    thread.start()
                _until(lambda before=answers: len(right) >= before + _ASKING)
                time.sleep(chance.random() / 5)
                child.kill()
                _until(lambda before=refusals: len(refused) >= before + _ASKING)
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
                    right.append(ask(self._client, _NAMED)[0])
                except RequestFailed as failure:
                    refused.append(failure.status)

    def _expect(self, ask: Callable, wanted: object, status: int | None, more: dict) -> str:
        """What the server says of its cost."""
        try:
            found, timing = ask(self._client, more)
        except RequestFailed as failure:
            assert failure.status == status, f"{more}: {failure} instead of {status or 'an answer'}"
            return ""
        assert status is None, f"{more}: an answer instead of {status}"
        assert found == wanted, f"{more}: {str(found)[:300]} instead of {str(wanted)[:300]}"
        return timing

    @contextmanager
    def _clickhouse(self, *options: str):
        words = [sys.executable, "-m", "engines.clickhouse_server", "--port", str(self._port), *options]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
            assert "listening" in child.stdout.readline(), "ClickHouse does not start"
            try:
                yield child
            finally:
                child.kill()


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS_MAX
    while not holds():
        assert time.monotonic() < deadline, f"not within {_SECONDS_MAX} seconds"
        time.sleep(0.01)


def _count(client: Client, more: dict) -> tuple[object, str]:
    answer, timing = client.explained("/calls/query_stats", {**_QUESTION, **more})
    return answer["count"], timing


def _page(client: Client, more: dict) -> tuple[object, str]:
    page = {"sort_by": [{"field": "op_name", "direction": "asc"}], "limit": 100, "columns": ["id"]}
    answer, timing = client.explained("/calls/query", {**_QUESTION, **page, **more})
    return [call["id"] for call in answer["calls"]], timing


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
