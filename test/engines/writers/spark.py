"""Changes by Spark."""

from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql.functions import concat, lit

from ..spark_session import spark


def append_copies(folder: Path, ids: list[str], suffix: str) -> None:
    """Appends rows like those with `ids`, whose own ids end with `suffix`. Spark writes their times as INT96."""
    with _setting("spark.sql.parquet.outputTimestampType", "INT96"):
        _append(folder, _copies(folder, ids, suffix))


def append_without_statistics(folder: Path, ids: list[str], suffix: str) -> None:
    with _setting("spark.databricks.delta.stats.collect", "false"):
        _append(folder, _copies(folder, ids, suffix))


def append_with_further_column(folder: Path, ids: list[str], suffix: str) -> None:
    """The table gets the column `team`, which is "blue" in the new rows."""
    rows = _copies(folder, ids, suffix).withColumn("team", lit("blue"))
    rows.write.format("delta").mode("append").option("mergeSchema", "true").save(str(folder))


def delete(folder: Path, ids: list[str], column: str = "id") -> None:
    _run(f"DELETE FROM {_name(folder)} WHERE {_among(ids, column)}")


def rename(folder: Path, ids: list[str], display_name: str) -> None:
    _run(f"UPDATE {_name(folder)} SET display_name = '{display_name}' WHERE {_among(ids)}")


def optimize(folder: Path) -> None:
    _run(f"OPTIMIZE {_name(folder)}")


def vacuum(folder: Path, hours: int = 0) -> None:
    _run(f"VACUUM {_name(folder)} RETAIN {hours} HOURS")


def vacuum_removed_files(folder: Path, hours: int = 0) -> None:
    """Only files that the log says are removed."""
    _run(f"VACUUM {_name(folder)} LITE RETAIN {hours} HOURS")


def set_properties(folder: Path, **properties: str) -> None:
    """Names as in `delta_enableDeletionVectors`, without the dot."""
    pairs = ", ".join(f"'{name.replace('_', '.', 1)}' = '{value}'" for name, value in properties.items())
    _run(f"ALTER TABLE {_name(folder)} SET TBLPROPERTIES ({pairs})")


def alter(folder: Path, change: str) -> None:
    _run(f"ALTER TABLE {_name(folder)} {change}")


def count(folder: Path, condition: str) -> int:
    return spark().read.format("delta").load(str(folder)).where(condition).count()


def property(folder: Path, name: str) -> str | None:
    found = spark().sql(f"SHOW TBLPROPERTIES {_name(folder)}").collect()
    return {row["key"]: row["value"] for row in found}.get(name)


def _copies(folder: Path, ids: list[str], suffix: str) -> DataFrame:
    rows = spark().read.format("delta").load(str(folder)).where(_among(ids))
    return rows.withColumn("id", concat(rows["id"], lit(suffix)))


def _append(folder: Path, rows: DataFrame) -> None:
    rows.write.format("delta").mode("append").save(str(folder))


@contextmanager
def _setting(name: str, value: str):
    before = spark().conf.get(name, None)
    spark().conf.set(name, value)
    try:
        yield
    finally:
        spark().conf.unset(name) if before is None else spark().conf.set(name, before)


def _run(statement: str) -> None:
    spark().sql(statement).collect()


def _name(folder: Path) -> str:
    return f"delta.`{folder}`"


def _among(values: list[str], column: str = "id") -> str:
    return f"{column} IN ({', '.join(repr(value) for value in values)})"
