"""The conformance tests of calls, with every server leaving all searches to ClickHouse that it can answer."""

import re
import subprocess
from pathlib import Path

from ..readers import Reader
from ..report import Report
from ..tracelake.commands import REPOSITORY, environment

_FOLDERS = (
    *("calls", "queries", "exact-numbers", "streams", "dialect", "requests", "usage", "feedback"),
    *("threads", "annotation-queues"),
)
_WITHOUT = (
    # They start servers with a fake ClickHouse, or without any.
    "broken-clickhouse.test.ts",
    "count-in-clickhouse.test.ts",
    "finding-in-clickhouse.test.ts",
    "search-in-clickhouse.test.ts",
    # The flush before a question also takes the place of a stalled client.
    "stalled-clients.test.ts",
)
_SECONDS_MAX = 3600


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Only where ClickHouse is installed. One check for each folder of tests."""
    if not any(reader.name.startswith("ClickHouse") for reader in readers):
        return
    for name in _FOLDERS:
        report.check("conformance", name, lambda name=name: _check(name, parent / "conformance"))


def _check(name: str, temporary: Path) -> int:
    """How many searches ClickHouse answered."""
    # Only here: the package may be missing.
    from ..clickhouse_server import PASSWORD, USER, ClickHouseServer

    # Data folders are below the current folder, where ClickHouse may read.
    temporary.mkdir(exist_ok=True)
    server = ClickHouseServer()
    before = server.answered
    files = sorted((REPOSITORY / "test" / "conformance" / name).glob("*.test.ts"))
    paths = [f"./{path.relative_to(REPOSITORY)}" for path in files if path.name not in _WITHOUT]
    variables = environment(
        TRACELAKE_TEST_CLICKHOUSE=server.url,
        TRACELAKE_TEST_PROGRAM=str(REPOSITORY / "dist" / "tracelake.js"),
        CLICKHOUSE_USER=USER,
        CLICKHOUSE_PASSWORD=PASSWORD,
        TMPDIR=str(temporary),
    )
    words = [str(REPOSITORY / "scripts" / "bun"), "test", "--timeout", "300000", *paths]
    options = {"env": variables, "cwd": REPOSITORY, "capture_output": True, "text": True, "timeout": _SECONDS_MAX}
    done = subprocess.run(words, **options)
    server.stop()
    counts = re.search(r"^ *(\d+) pass\n(?: *\d+ skip\n)? *(\d+) fail", done.stderr, re.MULTILINE)
    print(f"  {name}: {counts[0] if counts else 'no counts'}".replace("\n", ","), flush=True)
    log = temporary.parent / f"conformance-{name}.log"
    log.write_text(done.stdout + done.stderr)
    failed = [line for line in done.stderr.split("\n") if line.startswith("(fail)")]
    assert done.returncode == 0, f"{len(failed)} tests failed; their log is {log}: {'; '.join(failed[:10])}"
    return server.answered - before
