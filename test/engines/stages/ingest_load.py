"""Threads that write to the server, flush it and ask it, until they are stopped."""

import itertools
import threading
import time
import traceback
from collections.abc import Callable

from ..filling.calls import call, complete
from ..filling.odd_values import NEAR_TIMES, PROJECT
from ..tracelake.client import Client, RequestFailed
from ..writers.conflicts import lost_in_a_row
from .ingest_oracle import Oracle

BATCH = 50

# Engines on a busy machine need minutes; what they have to read must not grow with their slowness.
FAST_BATCHES_MAX = 300

# An engine that takes longer for a commit than the server takes between two flushes would never come first. So flushes
# leave it more time the more often it has lost.
FLUSH_PAUSE_SECONDS, FLUSH_PAUSE_SECONDS_MAX, LOSSES_PER_DOUBLING = 0.5, 30.0, 5

# Ids end with what may become of their calls, so that no two threads mean the same one.
FOR_ENGINE_TO_DELETE, FOR_ENGINE_TO_COPY = "-x", "-c"
FOR_SERVER_TO_DELETE, FOR_SERVER_TO_CHANGE = "-d", "-u"
_FATES = (FOR_ENGINE_TO_DELETE, FOR_ENGINE_TO_COPY, FOR_SERVER_TO_DELETE, FOR_SERVER_TO_CHANGE, "-k")


class Load:
    """Runs as a context. `faults` are requests that failed though nobody had a reason to refuse them."""

    def __init__(self, client: Client, oracle: Oracle):
        self._client = client
        self._oracle = oracle
        self._stop = threading.Event()
        self.faults: list[str] = []
        self.counts = {"batches": 0, "deletions": 0, "changes": 0, "flushes": 0, "questions": 0}
        works = [self._writer("w0"), self._writer("w1"), self._change_some, self._flush, self._ask]
        self._threads = [threading.Thread(target=self._repeat, args=(work,)) for work in works]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, work: Callable[[], float]) -> None:
        """`work` returns how many seconds to wait before the next time."""
        while not self._stop.is_set():
            try:
                pause = work()
            except RequestFailed as failure:
                self.faults.append(f"{time.strftime('%X')} {failure}")
                pause = 0.5
            except Exception:
                self.faults.append(traceback.format_exc(limit=2))
                return
            self._stop.wait(pause)

    def _writer(self, name: str) -> Callable[[], float]:
        batches = itertools.count()

        def write() -> float:
            first = next(batches) * BATCH
            calls = [self._call(name, number) for number in range(first, first + BATCH)]
            complete(self._client, calls)
            self._oracle.stored(calls)
            self.counts["batches"] += 1
            return 0.05 if first < FAST_BATCHES_MAX * BATCH else 1.0

        return write

    def _call(self, name: str, number: int) -> dict:
        body = call(number, name, times=NEAR_TIMES)
        return {**body, "id": body["id"] + _FATES[number % len(_FATES)]}

    def _change_some(self) -> float:
        ids = self._oracle.some(FOR_SERVER_TO_DELETE, 5)
        if ids:
            self._client.post("/calls/delete", {"project_id": PROJECT, "call_ids": ids})
            self._oracle.deleted(ids)
            self.counts["deletions"] += len(ids)
        for id in self._oracle.some(FOR_SERVER_TO_CHANGE, 3):
            body = {"project_id": PROJECT, "call_id": id, "display_name": f"changed {self.counts['changes']}"}
            self._client.post("/call/update", body)
            self.counts["changes"] += 1
        return 0.3

    def _flush(self) -> float:
        self._client.post("/flush", {})
        self.counts["flushes"] += 1
        return min(FLUSH_PAUSE_SECONDS_MAX, FLUSH_PAUSE_SECONDS * 2 ** (lost_in_a_row() // LOSSES_PER_DOUBLING))

    def _ask(self) -> float:
        self._client.post("/calls/query_stats", {"project_id": PROJECT})
        columns = ["id", "display_name"]
        self._client.lines("/calls/stream_query", {"project_id": PROJECT, "columns": columns, "limit": 2_000})
        self.counts["questions"] += 1
        return 0.5
