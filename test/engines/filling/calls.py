"""Calls: finished, running and failed ones, with and without every optional member; some are spans."""

import hashlib
import json

from ..tracelake.client import Client
from .odd_values import INTEGERS, NUMBERS, PROJECT, TEXTS, TIMES


def call(number: int, batch: str, project: str = PROJECT, times: list[str] = TIMES) -> dict:
    """The body of a call; `number` chooses among the odd values, so many of them show each combination."""
    is_plain = number % 3 == 0
    text = TEXTS[number % len(TEXTS)]
    started_at = times[number % len(times)]
    body = {
        "project_id": project,
        "id": f"{batch}-{number}",
        "trace_id": f"trace-{batch}-{number % 10}",
        "op_name": f"op-{number % 5}",
        "started_at": started_at,
        "ended_at": started_at,
        "attributes": {},
        "inputs": {"number": number, "text": text},
        "output": None if number % 4 == 0 else {"text": text, "number": NUMBERS[number % len(NUMBERS)]},
        "summary": {},
    }
    if is_plain:
        return body
    return {
        **body,
        "parent_id": f"{batch}-{number - 1}",
        "thread_id": f"thread-{number % 7}",
        "turn_id": f"turn-{number}",
        "display_name": text[:200].replace("\t", " ").replace("\n", " ").replace("\r", " "),
        "exception": text if number % 5 == 0 else None,
        "attributes": {"big": 2**60 + number, "nested": [None, {"a": text[:50]}]},
        "inputs": {"ref": f"ext:///{project}/object/thing:{number}", "text": text},
        "output": f"ext:///{project}/object/thing:{number + 1}" if number % 2 else [number],
        "summary": _usage(number),
        "ext_run_id": f"run-{number % 4}",
        "ext_run_step": INTEGERS[number % len(INTEGERS)],
        "ext_run_step_end": INTEGERS[(number + 1) % len(INTEGERS)],
    }


def _usage(number: int) -> dict:
    figures = {"prompt_tokens": number, "completion_tokens": number * 2, "requests": 3}
    models = ["gpt-4o", "claude-sonnet"][: 1 + number % 2]
    return {"usage": dict.fromkeys(models, figures), "own": TEXTS[number % len(TEXTS)][:50]}


def add_calls(client: Client, batch: str, count: int, times: list[str]) -> None:
    complete(client, [call(number, batch, times=times) for number in range(count)])
    running = {"project_id": PROJECT, "op_name": "running", "attributes": {}, "inputs": {}}
    for number in range(2):
        body = {**running, "id": f"{batch}-running-{number}", "trace_id": batch, "started_at": TIMES[number]}
        client.post("/call/start", {"start": body})
    _add_spans(client, batch)


def _add_spans(client: Client, batch: str) -> None:
    """Spans of OpenTelemetry, which are stored without what their calls hold."""
    trace = hashlib.md5(batch.encode()).hexdigest()
    spans = [
        {
            "traceId": trace,
            "spanId": hashlib.md5(f"{batch} {number}".encode()).hexdigest()[:16],
            "name": f"span {number}",
            "startTimeUnixNano": str(1_767_600_000_000_000_000 + number),
            "endTimeUnixNano": str(1_767_600_000_500_000_000 + number),
            "attributes": [{"key": "text", "value": {"stringValue": TEXTS[number % len(TEXTS)]}}],
        }
        for number in range(4)
    ]
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": batch}}]}
    body = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "suite"}, "spans": spans}]}]}
    client.send(
        "POST", "/otel/v1/traces", json.dumps(body).encode(), "application/json", {"project_id": PROJECT}
    )


def complete(client: Client, calls: list[dict]) -> None:
    """Stores whole calls of one project; they are durable when this returns."""
    client.post(f"/v2/{calls[0]['project_id']}/calls/complete", {"batch": calls})
