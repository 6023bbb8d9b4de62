"""
Tables that demand more of the Delta Lake protocol than a plain one. The server either says in one sentence
that it does not go near the table, and then has changed no byte of the folder; or it answers from the table,
refuses to write and leaves its files alone; or it does everything right.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..copied_folder import bytes_of, copy_of, make_original
from ..filling.calls import call, complete
from ..readers import Reader
from ..report import Report
from ..stored_tables import folder_of, rows_by_tracelake
from ..tracelake import commands
from ..tracelake.client import RequestFailed
from ..tracelake.process import StartRefused
from ..tracelake.served_folder import ServedFolder
from . import demand_while_running
from .calls_model import CallsModel
from .stopped_writes import compare_readers, write_by_server

STAGE = "features"

# Id of a call that shows whether the server takes any.
PROBE = "probe"


@dataclass(frozen=True)
class Demand:
    """
    named: a word that the refusal has to hold; may_work: a server that supports it is right too;
    still_holds: raises AssertionError where the table has lost what it was given
    """

    what: str
    work: Callable[[Path], None]
    named: str
    may_work: bool = True
    still_holds: Callable[[Path], None] = lambda _: None
    copied: tuple[str, ...] = ()


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    original = make_original(parent)
    report.check(STAGE, "unknown feature while the server runs", lambda: demand_while_running.check(original, parent))
    demands = list(_by_hand())
    if any(reader.name.startswith("Spark") for reader in readers):
        demands += _by_spark()
    else:
        report.skip(STAGE, "all that Spark enables", "Spark does not run here")
    for number, demand in enumerate(demands, 1):
        report.check(
            STAGE, demand.what, lambda: _check(report, readers, original, parent, f"features-{number:02}", demand)
        )


def _by_hand() -> Iterable[Demand]:
    from ..writers import by_hand as it

    unknown = {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["holograms"],
        "writerFeatures": ["holograms"],
    }
    unknown_to_writers = {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["holograms"]}
    newer = {"minReaderVersion": 9, "minWriterVersion": 9}
    yield Demand("unknown feature", lambda at: it.demand(at, unknown), "holograms", may_work=False)
    yield Demand(
        "unknown feature of writers", lambda at: it.demand(at, unknown_to_writers), "holograms", may_work=False
    )
    yield Demand("protocol version 9", lambda at: it.demand(at, newer), "9", may_work=False)


def _by_spark() -> Iterable[Demand]:
    from ..writers import spark as it

    def property(name: str, value: str = "true") -> Callable[[Path], None]:
        return lambda at: it.set_properties(at, **{name: value})

    def alter(change: str, **properties: str) -> Callable[[Path], None]:
        def work(folder: Path) -> None:
            if properties:
                it.set_properties(folder, **properties)
            it.alter(folder, change)

        return work

    teams = [f"base3-{number}" for number in range(20)]

    def add_team(folder: Path) -> None:
        it.append_with_further_column(folder, teams, "-team")
        # What the server is to find are its own rows, one column more.
        it.delete(folder, [f"{id}-team" for id in teams[10:]])

    def has_team(folder: Path) -> None:
        count = it.count(folder, "team = 'blue'")
        assert count == 10, f"the column that Spark has added has its value in {count} rows instead of 10"

    def has_vectors(folder: Path) -> None:
        value = it.property(folder, "delta.enableDeletionVectors")
        assert value == "true", f"the table has lost its property delta.enableDeletionVectors: {value}"

    mapping = {"delta_columnMapping.mode": "name"}
    defaults = {"delta_feature.allowColumnDefaults": "supported"}
    yield Demand("further column", add_team, "team", still_holds=has_team, copied=tuple(teams[:10]))
    yield Demand("property of the table", property("delta_enableDeletionVectors"), "", still_holds=has_vectors)
    yield Demand("column mapping", property(*next(iter(mapping.items()))), "columnMapping", may_work=False)
    yield Demand(
        "renamed column", alter("RENAME COLUMN exception TO failure", **mapping), "columnMapping", may_work=False
    )
    yield Demand("row tracking", property("delta_enableRowTracking"), "rowTracking")
    yield Demand("change data feed", property("delta_enableChangeDataFeed"), "changeDataFeed")
    yield Demand("append only", property("delta_appendOnly"), "appendOnly")
    yield Demand("in-commit timestamps", property("delta_enableInCommitTimestamps"), "inCommitTimestamp")
    yield Demand("type widening", property("delta_enableTypeWidening"), "typeWidening")
    yield Demand("checkpoints of version 2", property("delta_checkpointPolicy", "v2"), "v2Checkpoint")
    yield Demand("constraint", alter("ADD CONSTRAINT some CHECK (id <> 'nobody')"), "checkConstraints")
    no_zone = {"delta_feature.timestampNtz": "supported"}
    yield Demand("column without a zone", alter("ADD COLUMN local_time TIMESTAMP_NTZ", **no_zone), "calls")
    yield Demand("column of structs", alter("ADD COLUMN place STRUCT<x: INT, y: INT>"), "place")
    yield Demand(
        "column default", alter("ALTER COLUMN exception SET DEFAULT 'none'", **defaults), "allowColumnDefaults"
    )
    yield Demand("clustering", alter("CLUSTER BY (id)"), "clustering")


def _check(report: Report, readers: list[Reader], original: Path, parent: Path, name: str, demand: Demand) -> int:
    with copy_of(original, parent, name) as folder:
        model = CallsModel(rows_by_tracelake(folder.data, "calls"))
        demand.work(folder_of(folder.data, "calls"))
        model.copy_rows(list(demand.copied), "-team")
        before = bytes_of(folder.data)
        try:
            folder.start()
        except StartRefused as refusal:
            _expect_clear(str(refusal), demand.named)
            after = bytes_of(folder.data)
            touched = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            assert not touched, f"refused, but changed {', '.join(touched[:5])}"
            print(f"  refused: {str(refusal).strip()}", flush=True)
            return 0
        if _takes_calls(folder, demand):
            assert demand.may_work, "the server writes to a table that demands what it cannot know"
            model.written_by_server([PROBE])
            return _expect_all_right(report, readers, folder, model, demand)
        return _expect_only_read(folder, model, before)


def _takes_calls(folder: ServedFolder, demand: Demand) -> bool:
    try:
        complete(folder.client, [{**call(0, "probe"), "id": PROBE}])
    except RequestFailed as failure:
        assert failure.status == 503, str(failure)
        _expect_clear(str(failure), demand.named)
        print(f"  read only: {failure}", flush=True)
        return False
    return True


def _expect_only_read(folder: ServedFolder, model: CallsModel, before: dict[str, str]) -> int:
    """All calls are answered, and the table is not touched. Its log may be: nothing of it is in the table yet."""
    compared = model.expect_over_http(folder.client)
    folder.end()
    after = bytes_of(folder.data)
    table = [name for name in before.keys() | after.keys() if re.match(r"tables/calls/(_delta_log/|[^_])", name)]
    touched = sorted(name for name in table if before.get(name) != after.get(name))
    assert not touched, f"read only, but changed {', '.join(touched[:5])}"
    return compared


def _expect_clear(told: str, named: str) -> None:
    lines = [line for line in told.split("\n") if line.strip()]
    assert "calls" in told and named in told, f"the refusal names neither table nor {named}: {told}"
    assert len(lines) == 1, f"the refusal has {len(lines)} lines: {told}"


def _expect_all_right(
    report: Report, readers: list[Reader], folder: ServedFolder, model: CallsModel, demand: Demand
) -> int:
    compared = model.expect_over_http(folder.client)
    write_by_server(folder, model, [])
    compared += model.expect_over_http(folder.client)
    folder.stop()
    compared += model.expect_in(folder.data)
    commands.verify(folder.data)
    compared += compare_readers(report, f"{STAGE}: {demand.what}", readers, folder.data, further_columns=True)
    demand.still_holds(folder_of(folder.data, "calls"))
    print("  works", flush=True)
    return compared
