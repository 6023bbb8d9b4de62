"""Runs the suite; scripts/suites/engines installs what it needs and starts it."""

import argparse
import functools
import os
import shutil
import sys
import tempfile
from pathlib import Path

from .readers.installed import installed_readers
from .report import Report
from .started import started
from .stages import (
    conformance,
    counts,
    engine_faults,
    ingest_writes,
    random_conditions,
    reading,
    refused_features,
    self_check,
    stopped_writes,
    trino,
    views,
)

STAGES = {
    "comparison": self_check.run,
    "reading": reading.run,
    "stopped": stopped_writes.run,
    "ingest": ingest_writes.run,
    "features": refused_features.run,
    "views": views.run,
    "counts": counts.run,
    "random": random_conditions.run,
    "faults": engine_faults.run,
    "conformance": conformance.run,
    "trino": trino.run,
}


def main() -> bool:
    options = _options()
    report = Report()
    folder = Path(tempfile.mkdtemp(prefix="tracelake-engines-"))
    # The table functions of ClickHouse read below the current folder and nowhere else.
    os.chdir(folder)
    print(f"data folders and logs: {folder}", flush=True)
    readers = installed_readers(report, options.engine)
    stages = STAGES | {"random": functools.partial(random_conditions.run, conditions=options.conditions)}
    with started:
        for name in options.stage or STAGES:
            report.guard(name, lambda name=name: stages[name](report, readers, folder))
    report.print_table()
    has_passed = report.print_counts()
    if has_passed and not options.keep:
        shutil.rmtree(folder)
    return has_passed


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/test engines", description="Other engines on our Delta tables.")
    parser.add_argument("--stage", action="append", choices=STAGES, help="only this stage; may be given again")
    parser.add_argument("--engine", action="append", help="only readers with this in their name; may be given again")
    parser.add_argument(
        "--conditions", type=int, default=random_conditions.CONDITIONS, help="how many the stage random compares"
    )
    parser.add_argument("--keep", action="store_true", help="leave data folders and logs behind even if nothing failed")
    return parser.parse_args()


if __name__ == "__main__":
    has_passed = main()
    sys.stdout.flush()
    # chdb and the JVM have threads of their own, which an ordinary end may wait for.
    os._exit(0 if has_passed else 1)
