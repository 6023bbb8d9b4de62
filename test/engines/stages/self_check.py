"""The comparison finds what it is there for: a suite that cannot fail proves nothing."""

from pathlib import Path

from ..comparison import differences
from ..readers import Reader
from ..report import Report
from ..rows import DOUBLE, LONG, STRING, STRINGS, TIME, Rows

_KINDS = {"project_id": STRING, "id": STRING, "n": LONG, "price": DOUBLE, "at": TIME, "refs": STRINGS}
_A, _B = ("p", "a", 1, 0.0, 7, ("x", None)), ("p", "b", None, None, -1, None)

_FAULTY = {
    "missing row": (_KINDS, [_A]),
    "doubled row": (_KINDS, [_A, _B, _B]),
    "row too many": (_KINDS, [_A, _B, ("p", "c", 1, 0.5, 1, None)]),
    "a microsecond": (_KINDS, [("p", "a", 1, 0.0, 8, ("x", None)), _B]),
    "sign of a zero": (_KINDS, [("p", "a", 1, -0.0, 7, ("x", None)), _B]),
    "null for empty": (_KINDS, [_A, ("p", "b", None, None, -1, ())]),
    "0 for null": (_KINDS, [_A, ("p", "b", 0, None, -1, None)]),
    "null in a list": (_KINDS, [("p", "a", 1, 0.0, 7, ("x", "")), _B]),
    "other type": ({**_KINDS, "n": STRING}, [_A, _B]),
    "missing column": ({name: kind for name, kind in _KINDS.items() if name != "refs"}, [_A[:-1], _B[:-1]]),
}


def run(report: Report, _readers: list[Reader], _parent: Path) -> None:
    report.check("comparison", "finds every kind of fault", _faults_are_found)


def _faults_are_found() -> int:
    key = ("project_id", "id")
    whole = Rows(_KINDS, [_A, _B])
    assert differences(whole, Rows(_KINDS, [_B, _A]), key) == [], "another order of rows is no fault"
    for name, (kinds, cells) in _FAULTY.items():
        assert differences(whole, Rows(kinds, cells), key), f"not found: {name}"
    for micros, is_fault in [(1_000, False), (2_000, False), (1_500, True), (3_000, True), (None, True)]:
        expected, found = (Rows({"id": STRING, "at": TIME}, [("a", at)]) for at in (1_500, micros))
        faults = differences(expected, found, ("id", "id"), micros_kept=1_000)
        assert bool(faults) == is_fault, f"1,500 microseconds as {micros}: {faults}"
    return 0
