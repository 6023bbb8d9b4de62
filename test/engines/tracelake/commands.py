"""The command line of the product."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAM = [str(REPOSITORY / "scripts" / "tracelake")]


def environment(**further: str) -> dict[str, str]:
    """Ours, without settings of a server that the developer may have at hand."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRACELAKE_")}
    return {**kept, "TRACELAKE_LOG_LEVEL": "warn", **further}


def run(*words: str, **variables: str) -> str:
    """Runs a command to its end and returns what it printed. variables: added to the environment."""
    done = _ended(*words, **variables)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words[:1])} ended with code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def _ended(*words: str, **variables: str) -> subprocess.CompletedProcess:
    options = {"env": environment(**variables), "capture_output": True, "text": True, "timeout": 300}
    return subprocess.run([*PROGRAM, *words], **options)


def sql(data: Path, statement: str) -> Iterator[dict]:
    """Rows of a statement over the stored tables, also beside a running server."""
    for line in run("sql", statement, "--data", str(data), "--format", "jsonl").split("\n"):
        if line:
            yield json.loads(line)


def compact(data: Path) -> None:
    run("compact", "--data", str(data))


def verify(data: Path, apart_from: str | None = None) -> None:
    """Raises RuntimeError with the faults where there are any but those that have `apart_from` in them."""
    done = _ended("verify", "--data", str(data))
    faults = [line for line in done.stdout.splitlines() if line and (apart_from is None or apart_from not in line)]
    if done.returncode not in (0, 1) or (done.returncode == 1 and (faults or not done.stdout)):
        raise RuntimeError(f"verify ended with code {done.returncode}: {chr(10).join(faults)}\n{done.stderr}")
