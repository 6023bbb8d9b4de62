"""A cluster of Trino, a coordinator and two workers: every table, every view, and questions that both workers answer."""

import functools
import math
import re
from pathlib import Path

from ..comparison import differences
from ..filling.everything import change, fill, fill_settings
from ..object_store import BUCKET, KEY, REGION, SECRET, start_object_store
from ..readers import Reader
from ..report import Report
from ..rows import Rows, rows_of_arrow
from ..stored_tables import ALL_KEYS, tables_by_tracelake
from ..tracelake import commands
from ..tracelake.served_folder import ServedFolder
from .agreement import compare
from .views import Views

_FILLS = 4
_QUESTIONS = Path(__file__).parent / "trino_questions.sql"


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Only where Trino is installed."""
    reader = next((reader for reader in readers if reader.name.startswith("Trino")), None)
    if reader is None:
        return
    data = parent / "trino-tables"
    if report.check("trino", "every table", lambda: _check_tables(reader, data)):
        report.check("trino", "every table in an object store", lambda: _check_copy(reader, data))
    views = Views(parent / "trino-views")
    if report.check("trino", "filling for views", views.fill):
        report.check("trino", "every view", lambda: views.check("trino"))
        for question, ours, theirs in _questions():
            check = lambda ours=ours, theirs=theirs: _check_question(views.data, ours, theirs)
            report.check("trino", question, check)
        report.check("trino", "plan over both workers", _check_plan)


def _check_tables(reader: Reader, data: Path) -> int:
    """Several files a table, changed and deleted rows."""
    with ServedFolder(data.parent, data.name) as folder:
        for number in range(_FILLS):
            fill(folder.client, f"part{number}", calls=120, others=12)
            folder.flush()
        fill_settings(folder.client)
        change(folder.client, "part0")
        folder.stop()
        return compare(reader, data, _expected(data))


@functools.cache
def _expected(data: Path) -> dict[str, Rows]:
    """The folder does not change any more."""
    return tables_by_tracelake(data, ALL_KEYS)


def _check_copy(reader: Reader, data: Path) -> int:
    """What `tracelake copy` has put into a bucket, read by S3."""
    from ..trino_cluster import cluster

    address = start_object_store(data.with_name("object-store"))
    place = f"s3://{BUCKET}/traces"
    variables = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION}
    commands.run("copy", str(data), place, "--endpoint", address, **variables)
    settings = {
        "fs.native-s3.enabled": "true",
        "s3.endpoint": address,
        "s3.region": REGION,
        "s3.path-style-access": "true",
        "s3.aws-access-key": KEY,
        "s3.aws-secret-key": SECRET,
        "hive.metastore.catalog.dir": f"s3://{BUCKET}/metastore",
    }
    cluster().add_catalog("bucket", settings)
    faults, compared = [], 0
    for table, rows in _expected(data).items():
        found = rows_of_arrow(cluster().read_delta(f"{place}/tables/{table}", "bucket"))
        compared += len(found.cells)
        faults += differences(rows, found, ALL_KEYS[table], micros_kept=reader.micros_kept)
    assert not faults, "\n".join(faults)
    return compared


def _questions() -> list[tuple[str, str, str]]:
    """What is asked, for `tracelake sql`, and for Trino over the views: the blocks of the file, each in two parts."""
    blocks = _QUESTIONS.read_text().split("\n-- question: ")[1:]
    parts = [block.partition("\n") for block in blocks]
    return [(name, *(text.strip() for text in both.split("\n-- trino:\n"))) for name, _, both in parts]


def _check_question(data: Path, ours: str, theirs: str) -> int:
    from ..trino_cluster import cluster

    expected = [list(row.values()) for row in commands.sql(data, ours)]
    found = cluster().ask(theirs).rows
    assert len(expected) > 0, "the question has no rows"
    is_same = len(found) == len(expected) and all(map(_is_same_row, found, expected))
    assert is_same, f"Trino: {found}; tracelake: {expected}"
    return len(found)


def _is_same_row(found: list, expected: list) -> bool:
    return len(found) == len(expected) and all(map(_is_same, found, expected))


def _is_same(found: object, expected: object) -> bool:
    """Sums of fractions may differ in their last digit, depending on the order of the addends."""
    if isinstance(expected, float) and found is not None:
        return math.isclose(found, expected, rel_tol=1e-12)
    return found == expected


def _check_plan() -> int:
    """Both workers read and add up, and the plan says so."""
    from ..trino_cluster import WORKERS, cluster

    question = next(theirs for name, _, theirs in _questions() if name == "tokens and cost by model")
    plan = "\n".join(row[0] for row in cluster().ask(f"EXPLAIN (TYPE DISTRIBUTED) {question}").rows)
    print(_operators(plan), flush=True)
    missing = [word for word in ("[SOURCE]", "[HASH]", "[SINGLE]") if word not in plan]
    assert not missing, f"the plan has no fragment of the kind {missing}"
    nodes = cluster().nodes_of(question)
    print(f"tasks ran on: {', '.join(nodes)}", flush=True)
    assert len([node for node in nodes if node.startswith("worker")]) == WORKERS, f"tasks ran on {nodes}"
    return 0


def _operators(plan: str) -> str:
    """The fragments and what is in them, without columns and estimates."""
    lines = [line for line in plan.split("\n") if re.search(r"^Fragment|^    [A-Z]\w+\[|[├└]─ [A-Z]", line)]
    return "\n".join(line[:120] for line in lines)
