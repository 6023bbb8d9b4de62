"""Engines change the table `calls` while clients write, delete, ask, and the server flushes and compacts."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

from ..filling.calls import call, complete
from ..filling.odd_values import NEAR_TIMES, PROJECT
from ..readers import Reader
from ..report import Report, Skipped
from ..stored_tables import folder_of, rows_by_tracelake
from ..tracelake import commands
from ..tracelake.client import Client, RequestFailed
from ..tracelake.served_folder import ServedFolder
from ..writers.conflicts import retry_conflicts
from .ingest_load import FOR_ENGINE_TO_COPY, FOR_ENGINE_TO_DELETE, Load
from .ingest_oracle import Oracle
from .stopped_writes import compare_readers

STAGE = "ingest"

# Longer than the server may take to notice what others have committed.
NOTICED_SECONDS = 2.5
SEED = 20_260
AT_A_TIME = 15

Operations = dict[str, Callable[[Path, "Turn"], None]]


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    report.check(
        STAGE, "delta-rs", lambda: _check(report, readers, parent, "ingest-delta-rs", _by_delta_rs(), seconds=40)
    )
    if not any(reader.name.startswith("Spark") for reader in readers):
        report.skip(STAGE, "Spark", "Spark does not run here")
        return
    for what, with_vectors in (("Spark", False), ("Spark, deletion vectors", True)):
        operations = _by_spark(with_vectors)
        name = f"ingest-spark-{int(with_vectors)}"
        report.check(STAGE, what, lambda: _check(report, readers, parent, name, operations, seconds=60))


class Turn:
    """One operation of an engine: which calls it is about, and what is different when it has succeeded."""

    def __init__(self, oracle: Oracle, number: int, committed: set[str]):
        self._oracle = oracle
        self._number = number
        self._committed = committed

    def delete(self, delete: Callable[[list[str]], None]) -> None:
        ids = self._in_files(FOR_ENGINE_TO_DELETE)
        if ids:
            retry_conflicts(lambda: delete(ids))
            self._oracle.deleted(ids)

    def copy(self, copy: Callable[[list[str], str], None]) -> None:
        ids, suffix = self._in_files(FOR_ENGINE_TO_COPY), f"-copy{self._number}"
        if ids:
            retry_conflicts(lambda: copy(ids, suffix))
            self._oracle.copied(ids, suffix)

    def _in_files(self, ending: str) -> list[str]:
        return [id for id in self._oracle.some(ending, 100_000) if id in self._committed][:AT_A_TIME]


def _by_delta_rs() -> Operations:
    from ..writers import delta_rs as it

    def optimize_and_vacuum(folder: Path, _: Turn) -> None:
        retry_conflicts(lambda: it.optimize(folder))
        time.sleep(NOTICED_SECONDS)
        # What nobody names may be a file that the server is about to commit.
        retry_conflicts(lambda: it.vacuum(folder, unnamed_files_too=False))

    return {
        "append": lambda folder, turn: turn.copy(lambda ids, suffix: it.append_copies(folder, ids, suffix)),
        "DELETE": lambda folder, turn: turn.delete(lambda ids: it.delete(folder, ids)),
        "OPTIMIZE": lambda folder, _: retry_conflicts(lambda: it.optimize(folder)),
        "OPTIMIZE, VACUUM": optimize_and_vacuum,
        "checkpoint": lambda folder, _: retry_conflicts(lambda: it.checkpoint(folder)),
    }


def _by_spark(with_vectors: bool) -> Operations:
    from ..writers import spark as it

    def delete(folder: Path, turn: Turn) -> None:
        if with_vectors:
            retry_conflicts(lambda: it.set_properties(folder, delta_enableDeletionVectors="true"))
        turn.delete(lambda ids: it.delete(folder, ids))

    def optimize_and_vacuum(folder: Path, _: Turn) -> None:
        retry_conflicts(lambda: it.optimize(folder))
        time.sleep(NOTICED_SECONDS)
        retry_conflicts(lambda: it.vacuum_removed_files(folder))

    return {
        "append": lambda folder, turn: turn.copy(lambda ids, suffix: it.append_copies(folder, ids, suffix)),
        "DELETE": delete,
        "OPTIMIZE": lambda folder, _: retry_conflicts(lambda: it.optimize(folder)),
        "OPTIMIZE, VACUUM": optimize_and_vacuum,
        "VACUUM of a week": lambda folder, _: retry_conflicts(lambda: it.vacuum(folder, hours=168)),
    }


def _check(report: Report, readers: list[Reader], parent: Path, name: str, operations: Operations, seconds: int) -> int:
    with ServedFolder(parent, name) as folder:
        _require_flush(folder.client)
        oracle = Oracle()
        first = [call(number, "before", times=NEAR_TIMES) for number in range(60)]
        complete(folder.client, first)
        oracle.stored(first)
        with Load(folder.client, oracle) as load:
            done = _take_turns(folder, oracle, operations, time.monotonic() + seconds)
        _tell(load, done)
        folder.flush()
        faults = load.faults[:5] + [f"no {what} by clients" for what, count in load.counts.items() if count == 0]
        faults += [f"over HTTP: {fault}" for fault in oracle.faults(_calls_over_http(folder.client))]
        folder.stop()
        faults += [f"stored: {fault}" for fault in oracle.faults(_stored_calls(folder.data))]
        assert not faults, "\n".join(faults)
        folder.start()
        faults = oracle.faults(_calls_over_http(folder.client))
        folder.stop()
        assert not faults, "after another start: " + "\n".join(faults)
        commands.verify(folder.data)
        return compare_readers(report, f"{STAGE}: {name}", readers, folder.data)


def _require_flush(client: Client) -> None:
    try:
        client.post("/flush", {})
    except RequestFailed as failure:
        if failure.status == 404:
            raise Skipped("this server has no POST /flush, so little of it would be in files") from failure
        raise


def _take_turns(folder: ServedFolder, oracle: Oracle, operations: Operations, until: float) -> dict[str, int]:
    """Each operation once in every round, in an order that the seed gives. Returns how often each was done."""
    from ..readers.delta_rs import DeltaRs

    chance = random.Random(SEED)
    done = dict.fromkeys(operations, 0)
    table = folder_of(folder.data, "calls")
    number = 0
    while time.monotonic() < until:
        for what in chance.sample(list(operations), len(operations)):
            committed = set(DeltaRs().ids(table))
            operations[what](table, Turn(oracle, number, committed))
            done[what] += 1
            number += 1
            time.sleep(chance.random())
    return done


def _calls_over_http(client: Client) -> list[dict]:
    return client.lines("/calls/stream_query", {"project_id": PROJECT, "columns": ["id", "inputs"]})


def _stored_calls(data: Path) -> list[dict]:
    rows = rows_by_tracelake(data, "calls")
    pairs = zip(rows.column("id"), rows.column("inputs"))
    return [{"id": id, "inputs": json.loads(inputs)} for id, inputs in pairs]


def _tell(load: Load, done: dict[str, int]) -> None:
    by_clients = ", ".join(f"{count} {what}" for what, count in load.counts.items())
    by_engine = ", ".join(f"{count} {what}" for what, count in done.items())
    print(f"  clients: {by_clients}; engine: {by_engine}", flush=True)
