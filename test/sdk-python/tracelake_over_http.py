"""pytest plugin: the client's own tests talk to tracelake over HTTP.

The tests ask for a fixture `trace_server`, which usually is a server inside their process. Here it is
a proxy: the client's own HTTP class, with a key, to a tracelake that runs for this one test on a fresh
folder. What the proxy does beyond that stands for what the client's own test servers do inside the
process: requests are sent as the user that the test names, and a refusal is raised as the exception
of its status. See docs/decisions/081-sdk-tests-over-http.md.
"""

import inspect
import os
import time

import pytest

# The installed client, before pytest puts the checkout (which has a folder of that name) on the path.
import weave.trace_server

# The package leaves this out of its wheel, yet the fixtures of the tests import it.
weave.trace_server.__path__.append(os.path.join(os.getcwd(), "weave", "trace_server"))

from server_pool import ServerPool  # noqa: E402
from summary import unknown_failures, write_summary  # noqa: E402
from trace_server_proxy import TraceServerProxy  # noqa: E402

# Buckets of the vendor's server and the storage behind it, set up inside the process.
INSIDE_FILES = {"test_server_file_storage.py"}

# What tests wait for that only ClickHouse says: the log of its queries, and the errors of its driver.
INSIDE_WORDS = ("clickhouse_stream_query", "DatabaseError")

# Fixtures that hand a test a server of another kind, inside the process: nothing of it is over HTTP.
INSIDE_THE_PROCESS = {"get_ch_trace_server", "get_sqlite_trace_server", "ensure_clickhouse_db"}

pool = ServerPool()
started_at = time.monotonic()


def pytest_collection_modifyitems(config, items):
    """Leaves out tests that never reach a server: they would pass whatever tracelake does."""
    kept = [item for item in items if "trace_server" in getattr(item, "fixturenames", ())]
    dropped = [item for item in items if item not in set(kept)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


class LeftOut:
    """Counts tests left out, by whatever rule. Every worker collects all tests, and the controller none."""

    def __init__(self):
        self.count = 0

    def pytest_deselected(self, items):
        self.count += len(items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.count = max(self.count, getattr(node, "workeroutput", {}).get(LEFT_OUT, 0))


LEFT_OUT = "tracelake_left_out"
left_out = LeftOut()


def pytest_configure(config):
    config.pluginmanager.register(left_out)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.path.name in INSIDE_FILES:
        pytest.skip("over HTTP: the test sets up storage of the vendor's server inside its process")
    source = inspect.getsource(item.function)
    if any(word in source for word in INSIDE_WORDS):
        pytest.skip("over HTTP: the test waits for what ClickHouse says inside its process")
    asked = set(item._fixtureinfo.argnames) & INSIDE_THE_PROCESS
    if asked:
        pytest.skip(f"over HTTP: the test makes a server inside its process ({', '.join(sorted(asked))})")


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef, request):
    if fixturedef.argname != "trace_server":
        return None
    server = pool.take()
    fixturedef.addfinalizer(server.end)
    # Where the client looks for projects with GraphQL.
    patch = pytest.MonkeyPatch()
    fixturedef.addfinalizer(patch.undo)
    patch.setenv("WANDB_BASE_URL", server.address)
    proxy = TraceServerProxy(server)
    fixturedef.cached_result = (proxy, fixturedef.cache_key(request), None)
    return proxy


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    pool.end()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LEFT_OUT] = left_out.count
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and session.exitstatus == pytest.ExitCode.TESTS_FAILED and not unknown_failures(reporter):
        session.exitstatus = pytest.ExitCode.OK


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """After everything that pytest says itself: the suite ends with its counts."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not config.option.collectonly:
        write_summary(reporter, left_out.count, time.monotonic() - started_at)
