import chdb
import pyarrow as pa


def rows_of_views(statements: str, views: list[str]) -> dict[str, pa.Table]:
    """A query has a database of its own, so each creates the views first."""
    return {view: rows_of_query(f"{statements}\nSELECT * FROM tracelake.{view}") for view in views}


def rows_of_query(query: str) -> pa.Table:
    return pa.ipc.open_file(pa.BufferReader(chdb.query(query, "Arrow").bytes())).read_all()
