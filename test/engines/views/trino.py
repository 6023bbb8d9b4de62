import re

import pyarrow as pa

from ..trino_cluster import cluster


def rows_of_views(statements: str, views: list[str]) -> dict[str, pa.Table]:
    """The calls that register the tables are comments of the statements."""
    schema, rest = statements.split(";\n", 1)
    registrations = re.findall(r"^--   (CALL .*);$", statements, flags=re.MULTILINE)
    for statement in [schema, *registrations, *rest.split(";\n")]:
        if statement.strip():
            cluster().ask(statement)
    return {view: cluster().ask(f"SELECT * FROM delta.tracelake.{view}").table() for view in views}
