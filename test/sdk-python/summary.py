"""What a run came to: counts, and for each failure whether its reason is known."""

import os

REMAINING = os.path.join(os.path.dirname(__file__), "remaining.txt")


def known_reasons():
    """Reasons by test id, from lines `<test id> | <reason>`."""
    with open(REMAINING, encoding="utf-8") as lines:
        pairs = [line.split("|", 1) for line in lines if "|" in line and not line.startswith("#")]
    return {test.strip(): reason.strip() for test, reason in pairs}


def failures_of(reporter):
    reports = [*reporter.stats.get("failed", []), *reporter.stats.get("error", [])]
    return sorted({report.nodeid for report in reports})


def unknown_failures(reporter):
    known = known_reasons()
    return [test for test in failures_of(reporter) if test not in known]


def write_summary(reporter, left_out, seconds):
    known = known_reasons()
    failed = failures_of(reporter)
    passed = {report.nodeid for report in reporter.stats.get("passed", []) if report.when == "call"} - set(failed)
    skipped = reporter.stats.get("skipped", [])
    over_http = [report for report in skipped if "over HTTP: " in str(report.longrepr)]
    reporter.section("tracelake")
    reporter.write_line(f"{len(over_http)} skipped: they reach into a server inside their process, or make one")
    reporter.write_line(f"{len(skipped) - len(over_http)} skipped by the tests themselves")
    reporter.write_line(f"{left_out} left out: they never reach a server, or were not asked for")
    reporter.write_line(f"{seconds:.0f} seconds")
    for test in failed:
        reporter.write_line(f"failed: {test}: {known.get(test, 'NO KNOWN REASON')}")
    reporter.write_line(f"{len(passed)} passed, {len(failed)} failed")
