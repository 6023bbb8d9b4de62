"""What the suite has started and must stop before it ends."""

from contextlib import ExitStack

started = ExitStack()
