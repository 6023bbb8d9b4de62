"""Two committers at once: the one that comes second tries again."""

import time
from collections.abc import Callable

# On a busy machine the server commits several times while an engine works on one commit.
ATTEMPTS_MAX = 60
PAUSE_SECONDS_MAX = 1.0

# Words in errors of delta-rs and Delta Lake which say that somebody else was faster and nothing was committed.
_WORDS = ("conflict", "concurrent", "commitfailed", "failed to commit", "version already exists")


_lost = 0


def lost_in_a_row() -> int:
    """How often the engine has come second with the commit that it is trying."""
    return _lost


def retry_conflicts(work: Callable[[], None]) -> None:
    global _lost
    try:
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return work()
            except Exception as error:
                told = f"{type(error).__name__} {error}".lower()
                if attempt == ATTEMPTS_MAX or not any(word in told for word in _WORDS):
                    raise
                _lost = attempt
                time.sleep(min(PAUSE_SECONDS_MAX, 0.1 * attempt))
    finally:
        _lost = 0
