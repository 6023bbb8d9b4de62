"""A table gets a demand that the server cannot meet while the server runs, and loses it again."""

import time
from pathlib import Path

from ..copied_folder import copy_of
from ..filling.calls import call, complete
from ..filling.odd_values import PROJECT
from ..stored_tables import folder_of, rows_by_tracelake
from ..tracelake.client import RequestFailed
from ..tracelake.served_folder import ServedFolder
from ..writers import by_hand
from .calls_model import CallsModel

NOTICED_SECONDS = 2.5
UNKNOWN = {
    "minReaderVersion": 3,
    "minWriterVersion": 7,
    "readerFeatures": ["holograms"],
    "writerFeatures": ["holograms"],
}


def check(original: Path, parent: Path) -> int:
    """The server commits nothing to the table any more; what it has acknowledged is there when the demand is gone."""
    with copy_of(original, parent, "features-running") as folder:
        model = CallsModel(rows_by_tracelake(folder.data, "calls"))
        folder.start()
        _store(folder, model, "before")
        table = folder_of(folder.data, "calls")
        by_hand.demand(table, UNKNOWN)
        with_demand = _commits(table)
        time.sleep(NOTICED_SECONDS)
        _store(folder, model, "since")
        _expect_other_tables_work(folder)
        _try_flush(folder)
        folder.end()
        assert _commits(table) == with_demand, f"committed since the demand: {_commits(table) - with_demand}"
        (table / "_delta_log" / max(with_demand)).unlink()
        folder.start()
        compared = model.expect_over_http(folder.client)
        folder.stop()
        return compared + model.expect_in(folder.data)


def _store(folder: ServedFolder, model: CallsModel, batch: str) -> None:
    """A server may refuse them; those that it takes have to stay."""
    calls = [call(number, batch) for number in range(5)]
    try:
        complete(folder.client, calls)
    except RequestFailed as failure:
        assert failure.status == 503, str(failure)
        print(f"  {batch} the demand: {failure}", flush=True)
    else:
        model.written_by_server([body["id"] for body in calls])


def _expect_other_tables_work(folder: ServedFolder) -> None:
    ref = f"ext:///{PROJECT}/call/base0-3"
    feedback = {"project_id": PROJECT, "ext_ref": ref, "feedback_type": "custom", "payload": {}}
    folder.client.post("/feedback/create", feedback)


def _try_flush(folder: ServedFolder) -> None:
    try:
        folder.client.post("/flush", {})
    except RequestFailed as failure:
        print(f"  flush: {failure}", flush=True)


def _commits(table: Path) -> set[str]:
    return {path.name for path in (table / "_delta_log").glob("*.json")}
