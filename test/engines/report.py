"""What is printed: a line for each check as it ends, a table of them all, and the counts."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

FAULT_LINES_SHOWN = 12
ERROR_LINES_SHOWN = 4


class Skipped(Exception):
    """Says why something cannot be checked here."""


@dataclass(frozen=True)
class Result:
    stage: str
    what: str
    outcome: str
    rows: int
    seconds: float
    note: str


class Report:
    def __init__(self) -> None:
        self._results: list[Result] = []

    def check(self, stage: str, what: str, work: Callable[[], int]) -> bool:
        """Runs one check; `work` returns how many rows it compared. Whatever it raises fails it, except Skipped."""
        began = time.monotonic()
        rows, outcome, note = 0, "ok", ""
        try:
            rows = work()
        except Skipped as reason:
            outcome, note = "skipped", str(reason)
        except AssertionError as fault:
            outcome, note = "FAILED", str(fault)
        except Exception as error:
            outcome, note = "FAILED", _told(error)
        self._add(Result(stage, what, outcome, rows, time.monotonic() - began, note))
        return outcome == "ok"

    def guard(self, stage: str, work: Callable[[], None]) -> None:
        """Runs the checks of a stage; what comes up between them counts as one that failed."""
        try:
            work()
        except Exception as error:
            self._add(Result(stage, "everything else", "FAILED", 0, 0, _told(error)))

    def skip(self, stage: str, what: str, reason: str) -> None:
        self._add(Result(stage, what, "skipped", 0, 0, reason))

    def print_table(self) -> None:
        head = ("stage", "what", "rows compared", "seconds", "")
        lines = [(r.stage, r.what, f"{r.rows:,}", f"{r.seconds:.1f}", r.outcome) for r in self._results]
        widths = [max(len(line[place]) for line in [head, *lines]) for place in range(len(head))]
        print()
        for stage, what, rows, seconds, outcome in [head, *lines]:
            cells = (
                stage.ljust(widths[0]),
                what.ljust(widths[1]),
                rows.rjust(widths[2]),
                seconds.rjust(widths[3]),
                outcome,
            )
            print("  ".join(cells).rstrip())

    def print_counts(self) -> bool:
        """The last line. Returns whether nothing failed."""
        counts = {outcome: sum(r.outcome == outcome for r in self._results) for outcome in ("ok", "FAILED", "skipped")}
        for result in self._results:
            if result.outcome != "ok":
                print(f"\n{result.outcome}: {result.stage}: {result.what}: {_short(result.note)}")
        print()
        tail = f", {counts['skipped']} skipped" if counts["skipped"] else ""
        print(f"{counts['ok']} passed, {counts['FAILED']} failed{tail}", flush=True)
        return counts["FAILED"] == 0

    def _add(self, result: Result) -> None:
        self._results.append(result)
        line = f"{result.outcome}: {result.stage}: {result.what}: {result.rows:,} rows, {result.seconds:.1f} s"
        print(line if result.outcome == "ok" else f"{line}: {_short(result.note)}", flush=True)


def _told(error: Exception) -> str:
    """What went wrong and where in the suite, without the many lines of a JVM."""
    calls = [call for call in traceback.extract_tb(error.__traceback__) if "/site-packages/" not in call.filename]
    lines = [line for line in str(error).strip().split("\n") if line][:ERROR_LINES_SHOWN]
    return "\n".join(
        [
            f"{type(error).__name__}: {lines[0] if lines else ''}",
            *lines[1:],
            f"at {calls[-1].filename}:{calls[-1].lineno}",
        ]
    )


def _short(note: str) -> str:
    lines = note.strip().split("\n")
    return "\n  ".join(lines[:FAULT_LINES_SHOWN])
