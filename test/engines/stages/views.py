"""The views of `tracelake views` hold what the API answers, in every engine that can run them."""

import functools
import importlib
import json
import os
import subprocess
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from ..readers import Reader
from ..report import Report, Skipped
from ..tracelake import commands
from ..tracelake.commands import REPOSITORY, environment
from ..views import RowsOfViews
from .view_recipes import Recipes

_ENGINES = {"duckdb": "duckdb_delta", "clickhouse": "clickhouse", "spark": "spark"}


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Readers that are left out of the run have no views here either; DuckDB is none of them, and always runs."""
    data, expected = parent / "views", parent / "views.json"
    if not report.check("views", "filling", lambda: len(_program("fill", data, expected))):
        return
    names = list(json.loads(expected.read_text()))
    for engine, module in _ENGINES.items():
        if engine != "duckdb" and not any(reader.name.lower().startswith(engine) for reader in readers):
            continue
        check = functools.partial(_check, engine, module, names, data, expected)
        report.check("views", engine, check)
    _check_recipes(report, readers, Recipes(data, parent))
    if any(reader.name.startswith("ClickHouse") for reader in readers):
        report.check("views", "dashboard of Grafana", lambda: _check_dashboard(data, expected))


def _check_dashboard(data: Path, expected: Path) -> int:
    check_dashboard = importlib.import_module(".view_dashboard", __package__).check_dashboard
    traces = json.loads(expected.read_text())["traces"]["rows"]
    projects = sorted({row["project_id"] for row in traces})
    return check_dashboard(commands.run("views", str(data), "--engine", "clickhouse"), projects)


def _check_recipes(report: Report, readers: list[Reader], recipes: Recipes) -> None:
    if "ENGINES_WITHOUT_DUCKDB" not in os.environ:
        recipes.install_duckdb_extension(importlib.import_module("..views.duckdb_delta", __package__).extension())
        report.check("views", "recipe: DuckDB", lambda: recipes.check("DuckDB"))
        report.check("views", "notebook", recipes.check_notebook)
    for section in ("ClickHouse", "Spark"):
        if any(reader.name.startswith(section) for reader in readers):
            report.check("views", f"recipe: {section}", lambda section=section: recipes.check(section))
    report.check("views", "recipe: Trino", lambda: recipes.check("Trino"))


def _check(engine: str, module: str, names: list[str], data: Path, expected: Path) -> int:
    reason = os.environ.get(f"ENGINES_WITHOUT_{engine.upper()}")
    if reason:
        raise Skipped(reason)
    rows_of_views: RowsOfViews = importlib.import_module(f"..views.{module}", __package__).rows_of_views
    rows = rows_of_views(commands.run("views", str(data), "--engine", engine), names)
    folder = expected.parent / f"views-{engine}"
    folder.mkdir()
    for name, table in rows.items():
        (folder / f"{name}.jsonl").write_text("\n".join(_lines(table)))
    faults = _program("compare", expected, folder)
    assert not faults, faults
    return sum(table.num_rows for table in rows.values())


def _lines(table: pa.Table) -> list[str]:
    return [json.dumps(row, default=_plain) for row in table.to_pylist()]


def _plain(value: object) -> str:
    """Engines answer texts as bytes as well."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(f"{type(value)} is no value of a view")


def _program(*words: object) -> str:
    """What the program of the everyday tests prints; it knows what the views must hold."""
    program = [str(REPOSITORY / "scripts" / "bun"), str(REPOSITORY / "test" / "views" / "views-program.ts")]
    done = subprocess.run([*program, *map(str, words)], env=environment(), capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]} ended with code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout.strip()
