"""Log records and data points of metrics, as OpenTelemetry sends them."""

import json

from ..tracelake.client import Client
from .odd_values import NUMBERS, PROJECT, TEXTS

# 2026-01-05 in nanoseconds, with a microsecond, which milliseconds do not hold.
_START = 1_767_600_000_000_001_000
_STEP = 10**15


def add_logs(client: Client, batch: str, count: int) -> None:
    """`count` records, which name the batch as their service; every second one has all members."""
    records = []
    for number in range(count):
        text = {"stringValue": TEXTS[number % len(TEXTS)]}
        record = {"timeUnixNano": str(_START + number * _STEP), "body": text}
        if number % 2:
            attributes = [_attribute("event.name", f"event.{batch}"), {"key": "text", "value": text}]
            more = {"severityNumber": 1 + number % 24, "severityText": "INFO", "observedTimeUnixNano": str(_START)}
            record |= {**more, "attributes": attributes, "traceId": f"{number:032x}", "spanId": f"{number:016x}"}
        records.append(record)
    scope = {"scope": {"name": "suite"}, "logRecords": records}
    _send(client, "/otel/v1/logs", {"resourceLogs": [{"resource": _service(batch), "scopeLogs": [scope]}]})


def add_metrics(client: Client, batch: str, count: int) -> None:
    """`count` points of a gauge, and one of a histogram, which name the batch as their service."""
    times = {"startTimeUnixNano": str(_START), "timeUnixNano": str(_START + _STEP)}
    points = [
        {**times, "asDouble": NUMBERS[number % len(NUMBERS)], "attributes": [_attribute("number", str(number))]}
        for number in range(count)
    ]
    buckets = {"count": "3", "sum": 0.1, "min": 0, "max": 1.5, "bucketCounts": ["1", "2"], "explicitBounds": [0.5]}
    histogram = {"aggregationTemporality": 2, "dataPoints": [{**times, **buckets}]}
    metrics = [{"name": "gauge", "gauge": {"dataPoints": points}}, {"name": "histogram", "histogram": histogram}]
    scope = {"scope": {"name": "suite"}, "metrics": metrics}
    _send(client, "/otel/v1/metrics", {"resourceMetrics": [{"resource": _service(batch), "scopeMetrics": [scope]}]})


def _service(name: str) -> dict:
    return {"attributes": [_attribute("service.name", name)]}


def _attribute(key: str, value: str) -> dict:
    return {"key": key, "value": {"stringValue": value}}


def _send(client: Client, path: str, body: dict) -> None:
    client.send("POST", path, json.dumps(body).encode(), "application/json", {"project_id": PROJECT})
