"""The one Spark session of the suite: a single thread, nothing from the network."""

import functools
import os
from pathlib import Path

from pyspark.sql import SparkSession

_QUIET = Path(__file__).parent / "requirements" / "log4j2.properties"


@functools.cache
def spark() -> SparkSession:
    """Starts Spark with the jars that the installation has put into the folder `ENGINES_JARS`."""
    folder = os.environ["ENGINES_JARS"]
    jars = ",".join(sorted(os.path.join(folder, name) for name in os.listdir(folder)))
    settings = {
        "spark.jars": jars,
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.databricks.delta.retentionDurationCheck.enabled": "false",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "4g",
        "spark.driver.extraJavaOptions": f"-Duser.timezone=UTC -Dlog4j2.configurationFile=file:{_QUIET}",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[1]").appName("engines")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
