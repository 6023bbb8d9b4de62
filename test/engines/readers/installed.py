"""The engines that are installed here."""

import importlib
import os

from ..report import Report
from . import Reader

_ENGINES = {
    "delta-rs": ("delta_rs", "DeltaRs"),
    "Polars": ("polars_scan", "Polars"),
    "DataFusion": ("datafusion_sql", "DataFusion"),
    "ClickHouse": ("clickhouse", "ClickHouse"),
    "Spark": ("spark", "Spark"),
    "Trino": ("trino", "Trino"),
}


def installed_readers(report: Report, wanted: list[str] | None) -> list[Reader]:
    """An engine that is missing counts as skipped, with the reason."""
    readers = []
    for name, (module, reader) in _ENGINES.items():
        if wanted and not any(word.lower() in name.lower() for word in wanted):
            continue
        reason = os.environ.get(f"ENGINES_WITHOUT_{name.upper().replace('-', '_')}")
        if reason:
            report.skip("installation", name, reason)
            continue
        try:
            readers.append(getattr(importlib.import_module(f".{module}", __package__), reader)())
        except ImportError as error:
            report.skip("installation", name, f"its package cannot be loaded: {error}")
    return readers
