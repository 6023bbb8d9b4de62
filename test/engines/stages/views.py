"""The views of `tracelake views` hold what the API answers, in every engine that can run them."""

import functools
import importlib
import json
import os
import re
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

_ENGINES = {"duckdb": "duckdb_delta", "clickhouse": "clickhouse", "spark": "spark", "trino": "trino"}
# In which Trino has times of Delta Lake.
_MICROS_KEPT = {"trino": 1000}


class Views:
    """A folder, what the views over it must hold, and which rows they have in the engines."""

    def __init__(self, data: Path):
        self.data = data
        self._expected = data.with_suffix(".json")

    def fill(self) -> int:
        _program("fill", self.data, self._expected)
        return sum(len(view["rows"]) for view in self.expected().values())

    def expected(self) -> dict[str, dict]:
        return json.loads(self._expected.read_text())

    def check(self, engine: str) -> int:
        """All rows of all views: what the API says of some columns, and what DuckDB has in all of them."""
        _require(engine)
        count, folder = self._rows_in(engine)
        micros_kept = _MICROS_KEPT.get(engine, 1)
        faults = _program("compare", self._expected, folder, micros_kept)
        if engine != "duckdb" and "ENGINES_WITHOUT_DUCKDB" not in os.environ:
            faults += _program("compare-all", self._rows_in("duckdb")[1], folder, micros_kept)
        assert not faults, faults
        return count

    @functools.cache
    def _rows_in(self, engine: str) -> tuple[int, Path]:
        """How many rows there are, and a folder with VIEW.jsonl."""
        rows_of_views: RowsOfViews = importlib.import_module(f"..views.{_ENGINES[engine]}", __package__).rows_of_views
        location = ("--location", f"local://{self.data}") if engine == "trino" else ()
        statements = commands.run("views", str(self.data), "--engine", engine, *location)
        views = re.findall(r"^CREATE OR REPLACE VIEW (?:\w+\.)*(\w+) AS", statements, flags=re.MULTILINE)
        missing = self.expected().keys() - set(views)
        assert not missing, f"no statement creates {missing}"
        rows = rows_of_views(statements, views)
        empty = [name for name, table in rows.items() if table.num_rows == 0]
        assert not empty, f"without a row: {empty}"
        folder = self.data.with_name(f"{self.data.name}-{engine}")
        folder.mkdir(exist_ok=True)
        for name, table in rows.items():
            (folder / f"{name}.jsonl").write_text("\n".join(_lines(table)))
        return sum(table.num_rows for table in rows.values()), folder


def _require(engine: str) -> None:
    reason = os.environ.get(f"ENGINES_WITHOUT_{engine.upper()}")
    if reason:
        raise Skipped(reason)


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Readers that are left out of the run have no views here either; DuckDB is none of them, and always runs."""
    views = Views(parent / "views")
    if not report.check("views", "filling", views.fill):
        return
    for engine in _ENGINES:
        if engine == "duckdb" or any(reader.name.lower().startswith(engine) for reader in readers):
            report.check("views", engine, functools.partial(views.check, engine))
    _check_recipes(report, readers, Recipes(views.data, parent))
    if any(reader.name.startswith("ClickHouse") for reader in readers):
        report.check("views", "dashboard of Grafana", lambda: _check_dashboard(views))


def _check_dashboard(views: Views) -> int:
    check_dashboard = importlib.import_module(".view_dashboard", __package__).check_dashboard
    projects = sorted({row["project_id"] for row in views.expected()["traces"]["rows"]})
    return check_dashboard(commands.run("views", str(views.data), "--engine", "clickhouse"), projects)


def _check_recipes(report: Report, readers: list[Reader], recipes: Recipes) -> None:
    if "ENGINES_WITHOUT_DUCKDB" not in os.environ:
        recipes.install_duckdb_extension(importlib.import_module("..views.duckdb_delta", __package__).extension())
        report.check("views", "recipe: DuckDB", lambda: recipes.check("DuckDB"))
        report.check("views", "notebook", recipes.check_notebook)
    for section in ("ClickHouse", "Spark", "Trino"):
        if any(reader.name.startswith(section) for reader in readers):
            report.check("views", f"recipe: {section}", lambda section=section: _check_recipe(recipes, section))


def _check_recipe(recipes: Recipes, section: str) -> int:
    if section == "Trino":
        recipes.connect_trino(importlib.import_module("..trino_cluster", __package__).cluster().port)
    return recipes.check(section)


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
