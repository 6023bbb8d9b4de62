"""The commands and the notebook of docs/guide/views.md, as a reader runs them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ..tracelake.commands import REPOSITORY, environment

_GUIDE = REPOSITORY / "docs" / "guide"
# Blocks that need what is not here: a running server, or a server of ClickHouse.
_LEFT_OUT = ("/flush", "clickhouse-client")
_EXPECTED = {
    "DuckDB": ("gpt-4o", "weather"),
    "ClickHouse": ("gpt-4o", "2026-01-05"),
    "Spark": ("thread_id", "support-"),
    "Trino": ("gpt-4o", "own-model"),
}


class Recipes:
    """A folder with a copy of the data: ClickHouse reads below the current folder only."""

    def __init__(self, data: Path, parent: Path):
        # What stands for what the page says, where a test has it under another name.
        self._instead: dict[str, str] = {}
        self._folder = parent / "recipes"
        shutil.copytree(data, self._folder / "data")
        self._commands = parent / "recipe-commands"
        self._commands.mkdir()
        self._home = parent / "recipe-home"
        self._home.mkdir()
        self._command("tracelake", f"exec '{REPOSITORY}/scripts/tracelake' \"$@\"")
        self._command("python", f"exec '{sys.executable}' \"$@\"")
        submit = Path(sys.executable).parent / "spark-submit"
        address = "--conf spark.driver.bindAddress=127.0.0.1 --conf spark.driver.host=127.0.0.1"
        # In place of `--packages NAME`: what Maven Central has sent before.
        jars = f"--jars \"$(echo '{os.environ['ENGINES_JARS']}'/*.jar | tr ' ' ',')\""
        spark = f"PYSPARK_PYTHON='{sys.executable}' exec '{submit}' {jars} {address}"
        self._command("spark-submit", f'shift 2; {spark} "$@"')

    def check(self, section: str) -> int:
        """Runs the blocks of a section of the page."""
        script = "\n".join(_blocks(section))
        for stated, here in self._instead.items():
            script = script.replace(stated, here)
        printed = self._run(script)
        missing = [text for text in _EXPECTED[section] if text not in printed]
        assert not missing, f"{section}: {missing} is missing in what its commands print: {printed[-2000:]}"
        return 0

    def check_notebook(self) -> int:
        """Executes the cells in their order."""
        cells = json.loads((_GUIDE / "views.ipynb").read_text())["cells"]
        program = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        (self._folder / "notebook.py").write_text(program)
        printed = self._run("python notebook.py")
        missing = [text for text in ("gpt-4o", "weather", "KeyError", "judge") if text not in printed]
        assert not missing, f"{missing} is missing in what the notebook prints: {printed[-2000:]}"
        return 0

    def install_duckdb_extension(self, extension: Path) -> None:
        """Where DuckDB looks for it, so that INSTALL downloads nothing."""
        # …/<version>/<platform>/delta.duckdb_extension
        folder = self._home / ".duckdb" / "extensions" / extension.parts[-3] / extension.parts[-2]
        folder.mkdir(parents=True)
        shutil.copy(extension, folder)

    def connect_trino(self, port: int) -> None:
        """A cluster on this machine, which reads folders."""
        self._instead |= {
            "port=8080": f"port={port}",
            "s3://traces/copy": f"local://{self._folder / 'data'}",
            # The views of the stage itself are in the other one.
            "--engine trino": "--engine trino --schema delta.recipe",
            "delta.tracelake": "delta.recipe",
        }

    def _command(self, name: str, script: str) -> None:
        file = self._commands / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def _run(self, script: str) -> str:
        variables = environment(PATH=f"{self._commands}:{os.environ['PATH']}", HOME=str(self._home))
        shell = ["bash", "-e", "-c", script]
        done = subprocess.run(shell, cwd=self._folder, env=variables, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{script}\nended with code {done.returncode}: {done.stderr[-2000:]}"
        return done.stdout


def _blocks(section: str) -> list[str]:
    page = (_GUIDE / "views.md").read_text()
    text = re.split(r"^## ", page.split(f"\n## {section}\n")[1], flags=re.MULTILINE)[0]
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [block for block in blocks if not any(part in block for part in _LEFT_OUT)]
