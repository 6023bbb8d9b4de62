"""Engines change the table `calls` while no server runs; then one starts, answers and writes, and all read again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..copied_folder import CALLS_A_FILE, copy_of, make_original
from ..filling.calls import call, complete
from ..filling.odd_values import NEAR_TIMES, PROJECT
from ..readers import Reader
from ..report import Report, Skipped
from ..stored_tables import folder_of, rows_by_tracelake
from ..tracelake import commands
from ..tracelake.served_folder import ServedFolder
from ..writers import delta_rs
from . import every_table
from .agreement import compare
from .calls_model import CallsModel

STAGE = "stopped"

DELETED = [f"base2-{number}" for number in range(30)]
DELETED_LATER = [f"base2-{number}" for number in range(30, 40)]
COPIED = [f"base3-{number}" for number in range(20)]
# Calls without optional members, with starts of whole seconds.
COPIED_PLAIN = [
    f"base3-{number}" for number in range(0, CALLS_A_FILE, 3) if "." not in NEAR_TIMES[number % len(NEAR_TIMES)]
]
SUFFIX = "-copy"


@dataclass(frozen=True)
class Change:
    """What an engine does, and what of the calls is different then."""

    what: str
    work: Callable[[Path], None]
    copied: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    original = make_original(parent)
    # Without any change by others: what fails here is no fault of theirs.
    changes = [Change("nothing", lambda _: None), *_by_delta_rs(), *_by_hand()]
    engines = {"delta-rs": delta_rs}
    if any(reader.name.startswith("Spark") for reader in readers):
        from ..writers import spark

        changes += _by_spark()
        engines["Spark"] = spark
    else:
        report.skip(STAGE, "Spark", "Spark does not run here")
    for number, change in enumerate(changes, 1):
        report.check(
            STAGE, change.what, lambda: _check(report, readers, original, parent, f"stopped-{number:02}", change)
        )
    for name, it in engines.items():
        what = f"{name}: DELETE, OPTIMIZE in every table"
        folder = f"stopped-every-{name}"
        report.check(STAGE, what, lambda: every_table.check(readers, original, parent, folder, it.delete, it.optimize))


def _by_delta_rs() -> Iterable[Change]:
    it = delta_rs

    def everything(folder: Path) -> None:
        it.append_copies(folder, COPIED, SUFFIX)
        it.delete(folder, DELETED)
        it.optimize(folder)
        it.vacuum(folder)
        it.checkpoint(folder)

    yield Change("delta-rs: append", lambda at: it.append_copies(at, COPIED, SUFFIX), copied=COPIED)
    yield Change("delta-rs: DELETE", lambda at: it.delete(at, DELETED), deleted=DELETED)
    yield Change("delta-rs: OPTIMIZE", it.optimize)
    yield Change("delta-rs: OPTIMIZE, VACUUM", lambda at: (it.optimize(at), it.vacuum(at)))
    yield Change("delta-rs: all of these, checkpoint", everything, copied=COPIED, deleted=DELETED)


def _by_hand() -> Iterable[Change]:
    from ..writers import by_hand as it

    yield Change("by hand: naive times", lambda at: it.append_naive_times(at, COPIED, SUFFIX), copied=COPIED)
    yield Change("by hand: INT96", lambda at: it.append_int96(at, COPIED_PLAIN, SUFFIX), copied=COPIED_PLAIN)
    yield Change(
        "by hand: milliseconds", lambda at: it.append_milliseconds(at, COPIED_PLAIN, SUFFIX), copied=COPIED_PLAIN
    )
    yield Change("by hand: other order of columns", lambda at: it.append_other_order(at, COPIED, SUFFIX), copied=COPIED)
    yield Change(
        "by hand: fewer columns", lambda at: it.append_fewer_columns(at, COPIED_PLAIN, SUFFIX), copied=COPIED_PLAIN
    )
    yield Change(
        "by hand: truncated statistics", lambda at: it.append_truncated_statistics(at, COPIED, SUFFIX), copied=COPIED
    )


def _by_spark() -> Iterable[Change]:
    from ..writers import spark as it

    def with_vectors(*steps: Callable[[Path], None]) -> Callable[[Path], None]:
        def work(folder: Path) -> None:
            it.set_properties(folder, delta_enableDeletionVectors="true")
            for step in steps:
                step(folder)

        return work

    def delete(folder: Path) -> None:
        it.delete(folder, DELETED)

    def delete_later(folder: Path) -> None:
        it.delete(folder, DELETED_LATER)

    def rename(folder: Path) -> None:
        it.rename(folder, COPIED, "by Spark")

    def twelve_appends(folder: Path) -> None:
        for id in COPIED[:12]:
            it.append_copies(folder, [id], SUFFIX)

    renamed = dict.fromkeys(COPIED, "by Spark")
    both = DELETED + DELETED_LATER
    yield Change("Spark: append, INT96", lambda at: it.append_copies(at, COPIED, SUFFIX), copied=COPIED)
    yield Change(
        "Spark: append without statistics", lambda at: it.append_without_statistics(at, COPIED, SUFFIX), copied=COPIED
    )
    yield Change("Spark: 12 appends, its checkpoint", twelve_appends, copied=COPIED[:12])
    yield Change("Spark: DELETE", delete, deleted=DELETED)
    yield Change("Spark: UPDATE", rename, renamed=renamed)
    yield Change("Spark: OPTIMIZE, VACUUM", lambda at: (it.optimize(at), it.vacuum(at)))
    yield Change("Spark: vectors, DELETE", with_vectors(delete), deleted=DELETED)
    yield Change("Spark: vectors, DELETE twice", with_vectors(delete, delete_later), deleted=both)
    yield Change("Spark: vectors, UPDATE", with_vectors(rename), renamed=renamed)
    yield Change(
        "Spark: vectors, DELETE, OPTIMIZE, VACUUM", with_vectors(delete, it.optimize, it.vacuum), deleted=DELETED
    )


def _check(report: Report, readers: list[Reader], original: Path, parent: Path, name: str, change: Change) -> int:
    with copy_of(original, parent, name) as folder:
        model = CallsModel(rows_by_tracelake(folder.data, "calls"))
        change.work(folder_of(folder.data, "calls"))
        copies = model.copy_rows(change.copied, SUFFIX)
        model.delete(change.deleted)
        for id, display_name in change.renamed.items():
            model.set_cell([id], "display_name", display_name)
        model.expect_in(folder.data)
        folder.start()
        compared = model.expect_over_http(folder.client)
        write_by_server(folder, model, copies)
        model.expect_over_http(folder.client)
        folder.stop()
        compared += model.expect_in(folder.data)
        # Once more from what the server has left.
        folder.start()
        model.expect_over_http(folder.client)
        folder.stop()
        commands.verify(folder.data)
        return compared + compare_readers(report, f"{STAGE}: {change.what}", readers, folder.data)


def write_by_server(folder: ServedFolder, model: CallsModel, copies: list[str]) -> None:
    """New calls; one of the engine's and one of the server's get another name, and two others are deleted."""
    fresh = [call(number, "after") for number in range(5)]
    complete(folder.client, fresh)
    renamed, deleted = ["base4-3", *copies[:1]], ["base4-5", *copies[1:2]]
    for id in renamed:
        folder.client.post("/call/update", {"project_id": PROJECT, "call_id": id, "display_name": "by the server"})
    folder.client.post("/calls/delete", {"project_id": PROJECT, "call_ids": deleted})
    model.written_by_server([body["id"] for body in fresh] + renamed)
    model.delete(deleted)


def compare_readers(
    report: Report, what: str, readers: list[Reader], data: Path, *, further_columns: bool = False
) -> int:
    """All engines that can read the table `calls`; the faults of all of them together. `what` names the check."""
    expected = {"calls": rows_by_tracelake(data, "calls")}
    faults, compared = [], 0
    for reader in readers:
        try:
            compared += compare(reader, data, expected, further_columns=further_columns)
        except Skipped as reason:
            report.skip(what, reader.name, str(reason))
        except Exception as fault:
            faults.append(f"{reader.name}: {fault}")
    assert not faults, "\n".join(faults)
    return compared
