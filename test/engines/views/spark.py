import pyarrow as pa

from ..spark_session import spark


def rows_of_views(statements: str, views: list[str]) -> dict[str, pa.Table]:
    for statement in statements.split(";\n"):
        if statement.strip():
            spark().sql(statement)
    return {view: spark().sql(f"SELECT * FROM tracelake.{view}").toArrow() for view in views}
