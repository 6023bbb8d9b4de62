from pathlib import Path

import duckdb
import duckdb_ext
import pyarrow as pa


def rows_of_views(statements: str, views: list[str]) -> dict[str, pa.Table]:
    """DuckDB with its Delta extension, which a package brings along."""
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension()}'")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(statements)
    return {view: connection.execute(f"SELECT * FROM tracelake.{view}").fetch_arrow_table() for view in views}


def extension() -> Path:
    (file,) = Path(next(iter(duckdb_ext.__path__))).rglob("delta.duckdb_extension")
    return file
