"""Random conditions find the same calls in DuckDB, in ClickHouse and by an evaluator that shares no code with them."""

import os
import subprocess
from pathlib import Path

from ..object_store import BUCKET, KEY, SECRET, start_object_store
from ..readers import Reader
from ..report import Report
from ..tracelake.commands import REPOSITORY, environment

CONDITIONS = 600


def run(report: Report, readers: list[Reader], parent: Path, conditions: int) -> None:
    """Only where ClickHouse is installed: so many conditions in a lake, and a part of them in a folder."""
    if not any(reader.name.startswith("ClickHouse") for reader in readers):
        return
    report.check("random", "in a folder", lambda: _check(parent / "random", None, max(conditions // 10, 200)))
    report.check("random", "in an object store", lambda: _check_in_store(parent / "random-store", conditions))


def _check_in_store(folder: Path, conditions: int) -> int:
    address = start_object_store(folder)
    return _check(folder / BUCKET / "calls", f"{address}/{BUCKET}/calls", conditions)


def _check(folder: Path, address: str | None, conditions: int) -> int:
    # Only here: the package may be missing.
    from ..clickhouse_server import PASSWORD, USER, ClickHouseServer

    server = ClickHouseServer()
    program = [str(REPOSITORY / "scripts" / "bun"), str(REPOSITORY / "test" / "golden" / "clickhouse" / "main.ts")]
    words = ["--url", server.url, "--folder", str(folder), "--conditions", str(conditions)]
    if address is not None:
        words += ["--address", address]
    variables = environment(CLICKHOUSE_USER=USER, CLICKHOUSE_PASSWORD=PASSWORD, STORE_KEY=KEY, STORE_SECRET=SECRET)
    if "TRACELAKE_TEST_SEED" in os.environ:
        variables["TRACELAKE_TEST_SEED"] = os.environ["TRACELAKE_TEST_SEED"]
    lines = []
    with subprocess.Popen([*program, *words], env=variables, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            print(f"  {line.rstrip()}", flush=True)
            lines.append(line)
    server.stop()
    assert child.returncode == 0, "".join(lines[-20:])
    return conditions
