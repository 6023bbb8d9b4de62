import re

import pyarrow as pa

from ..trino_cluster import cluster


def rows_of_views(statements: str, views: list[str]) -> dict[str, pa.Table]:
    """The calls that register the tables are comments of the statements. Earlier tables of the names are let go."""
    for table in _registered():
        where = f"schema_name => 'tracelake', table_name => '{table}'"
        cluster().ask(f"CALL delta.system.unregister_table({where})")
    schema, rest = statements.split(";\n", 1)
    registrations = re.findall(r"^--   (CALL .*)$", statements, flags=re.MULTILINE)
    for statement in [schema, *registrations, *rest.split(";\n")]:
        if statement.strip():
            cluster().ask(statement)
    return {view: cluster().ask(f"SELECT * FROM delta.tracelake.{view}").table() for view in views}


def _registered() -> list[str]:
    kind = "table_schema = 'tracelake' AND table_type = 'BASE TABLE'"
    return [
        name for (name,) in cluster().ask(f"SELECT table_name FROM delta.information_schema.tables WHERE {kind}").rows
    ]
