"""The Grafana dashboard over the views: the SQL of every panel, run as Grafana's data source would send it."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from ..tracelake.commands import REPOSITORY
from ..views.clickhouse import rows_of_query

_DASHBOARD = REPOSITORY / "deploy" / "grafana" / "tracelake.json"
# The rows that are filled in; feedback is from now.
_FROM, _UNTIL = datetime(2026, 1, 1, tzinfo=UTC), datetime.now(UTC) + timedelta(days=1)
_INTERVAL = timedelta(hours=6)
_TIME_SERIES = 0


def check_dashboard(statements: str, projects: list[str]) -> int:
    """Every panel has rows, and every column of it a value."""
    dashboard = json.loads(_DASHBOARD.read_text())
    project = next(each for each in dashboard["templating"]["list"] if each["name"] == "project")
    offered = _run(statements, project["query"]["rawSql"], projects).column(0).to_pylist()
    assert offered == sorted(projects), f"the variable offers the projects {offered}"
    faults, rows = [], 0
    for title, target in _targets(dashboard):
        answer = _run(statements, target["rawSql"], projects)
        rows += answer.num_rows
        faults += [f"{title}: {fault}" for fault in _faults(answer, target["format"])]
    assert not faults, "; ".join(faults)
    return rows


def _targets(dashboard: dict) -> Iterator[tuple[str, dict]]:
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target


def _run(statements: str, sql: str, projects: list[str]) -> pa.Table:
    return rows_of_query(f"{statements}\n{_expanded(sql, projects)}")


def _faults(answer: pa.Table, form: int) -> Iterator[str]:
    if answer.num_rows == 0:
        yield "no rows"
        return
    for name, column in zip(answer.column_names, answer.columns, strict=True):
        if not any(value not in (None, "", b"") for value in column.to_pylist()):
            yield f"no row has a value in {name}"
    if form == _TIME_SERIES:
        times = answer.column(0).to_pylist()
        # Grafana makes series from rows with a text column only in this order.
        if answer.column_names[0] != "time" or times != sorted(times):
            yield "the first column is not a time in ascending order"


def _expanded(sql: str, projects: list[str]) -> str:
    """The variable and the macros of the data source in place; others are left alone, and fail."""
    start, end = (f"fromUnixTimestamp64Milli({int(time.timestamp() * 1000)})" for time in (_FROM, _UNTIL))
    seconds = int(_INTERVAL.total_seconds())
    sql = sql.replace("${project:sqlstring}", ",".join(f"'{project}'" for project in projects))
    sql = re.sub(r"\$__timeFilter_ms\((\w+)\)", rf"\1 >= {start} AND \1 <= {end}", sql)
    return re.sub(
        r"\$__timeInterval\((\w+)\)", rf"toStartOfInterval(toDateTime(\1), INTERVAL {seconds} second)", sql
    )
