"""Counts and pages of calls with `engine: clickhouse` equal those of the server itself, whatever the conditions."""

import functools
import itertools
import json
import random
from pathlib import Path

from ..readers import Reader
from ..report import Report
from ..tracelake.client import Client, RequestFailed
from ..tracelake.process import Server

_PROJECT, _OTHER, _STRANGE = "counts/odd", "counts/other", "counts/strange"
_SEED = 290
_QUERIES = 400
# The share of conditions of which pages are compared, too.
_PAGED = 0.2
_TEXTS = [
    "",
    "a",
    "refund",
    "Refund the ORDER",
    "İstanbul ΣΊΣΥΦΟΣ Straße K",
    "don't \\ \"quote\" \t tab \n line",
    "\u001b[31mred\u001b[0m \u000b \u007f \u2028",
    "日本語 🙂 e\u0301",
    "true",
    "null",
    "12",
    "-0.5e+21",
    "[1,2]",
    '{"a":1}',
    "lone \ud800 half",
    "nb\\nb",
    "50% {off}, [now]: \"yes\"",
]
_NEEDLES = [
    *_TEXTS,
    "REFUND",
    "istanbul",
    "σίσυφος",
    "strasse",
    "ss",
    "k",
    "red",
    "bred",
    "Bred",
    "b",
    "nb",
    "u001b",
    "quote",
    "line",
    "n line",
    "gpt",
    "ull",
    "語",
    "🙂",
    "ext",
]
# Neither empty nor malformed, which a search refuses.
_SEARCHED = [needle for needle in _NEEDLES if needle and needle.isprintable()]
_COLUMNS = ["op_name", "display_name", "exception", "parent_id", "trace_id", "thread_id", "id"]
_JSON = ["inputs", "output", "attributes", "summary"]
_ORDERS = [["started_at"], ["started_at"], ["op_name"], ["display_name", "started_at"], ["exception"], ["inputs.text"]]
_PATHS = ["inputs.text", "inputs.deep.text", "output.text", "attributes.text", "inputs.missing", "attributes.a\\.b"]


def run(report: Report, readers: list[Reader], parent: Path) -> None:
    """Only where ClickHouse is installed."""
    if any(reader.name.startswith("ClickHouse") for reader in readers):
        report.check("counts", "clickhouse", lambda: _check(parent / "counts"))


def _check(data: Path) -> int:
    # Only here: the package may be missing.
    from ..clickhouse_server import PASSWORD, USER, ClickHouseServer

    server = ClickHouseServer()
    before = server.answered
    settings = {
        "TRACELAKE_CLICKHOUSE_URL": server.url,
        "TRACELAKE_CLICKHOUSE_USER": USER,
        "TRACELAKE_CLICKHOUSE_PASSWORD": PASSWORD,
    }
    with Server(data, data.with_suffix(".log"), settings) as product:
        _fill(product.client)
        counted = _compare(product.client) + _compare_strange(product.client)
    server.stop()
    # Some find nothing by indexes alone.
    answered = server.answered - before
    assert answered > counted / 2, f"ClickHouse answered {answered} questions for {counted} counts"
    return counted


def _fill(client: Client) -> None:
    chance = random.Random(_SEED)
    calls = [_call(number, chance) for number in range(400)]
    for project in (_PROJECT, _OTHER):
        for start in range(0, len(calls), 100):
            batch = [{**call, "project_id": project} for call in calls[start : start + 100]]
            client.post(f"/v2/{project}/calls/complete", {"batch": batch})
        client.post("/flush", {})
    # Deleted and updated rows of files, and rows that are only in memory.
    client.post("/calls/delete", {"project_id": _PROJECT, "call_ids": [f"call-{number}" for number in range(0, 60, 3)]})
    for number in range(1, 40, 5):
        name = chance.choice(_TEXTS[1:4])
        client.post("/call/update", {"project_id": _PROJECT, "call_id": f"call-{number}", "display_name": name})
    batch = [{**_call(number, chance), "project_id": _PROJECT} for number in range(400, 450)]
    client.post(f"/v2/{_PROJECT}/calls/complete", {"batch": batch})


def _compare_strange(client: Client) -> int:
    """JSON in which some versions of ClickHouse find nothing: an infinite number, one above 64 bits."""
    outputs = ['{"n":1e400,"text":"refund"}', '{"n":123456789012345678901234567890,"text":"refund"}', '{"text":"refund"}']
    calls = [{**_call(number, random.Random(number)), "project_id": _STRANGE} for number in range(len(outputs))]
    for call, output in zip(calls, outputs, strict=True):
        body = json.dumps({"batch": [{**call, "output": "@"}]}).replace('"@"', output)
        client.send("POST", f"/v2/{_STRANGE}/calls/complete", body.encode(), "application/json")
    client.post("/flush", {})
    refund, missing = (
        {"$eq": [_field("output.text"), _literal("refund")]},
        {"$eq": [_field("output.missing"), _literal(None)]},
    )
    conditions = [refund, {"$not": [refund]}, missing, {"$and": [_contains("output", "REFUND", True), refund]}]
    for condition in conditions:
        body = {"project_id": _STRANGE, "query": {"$expr": condition}}
        wanted, found = (
            client.post("/calls/query_stats", {**body, "engine": engine})["count"] for engine in ("duckdb", "clickhouse")
        )
        assert found == wanted, f"{json.dumps(condition)}: {found} instead of {wanted}"
    return len(conditions)


def _call(number: int, chance: random.Random) -> dict:
    text, other = chance.choice(_TEXTS), chance.choice(_TEXTS)
    values = [None, True, 12, 1.5, [], {}, text, {"text": other}, [other], {"text": None}, {"text": 12}]
    second = chance.randrange(60)
    return {
        "id": f"call-{number}",
        "trace_id": f"trace-{number // 5}",
        "parent_id": None if number % 5 == 0 else f"call-{number - number % 5}",
        "op_name": chance.choice(["refund", "Refund", "gpt.chat", "İ-op", "a b"]),
        "display_name": chance.choice([None, "", text[:100].replace("\ud800", "") or None]),
        "thread_id": chance.choice([None, "thread-a", "thread-b"]),
        "started_at": f"2026-01-{1 + number % 28:02}T10:00:{second:02}.000123Z",
        "ended_at": f"2026-01-{1 + number % 28:02}T10:01:{second:02}Z",
        "exception": chance.choice([None, None, text]),
        "attributes": {"text": chance.choice(values), "a.b": other, **({"kind": "llm"} if number % 2 else {})},
        "inputs": {"text": text, "deep": {"text": other}, "n": 1e21} if number % 3 else {"text": chance.choice(values)},
        "output": chance.choice(values),
        "summary": {},
    }


def _compare(client: Client) -> int:
    chance = random.Random(_SEED)
    conditions = itertools.chain([None], _each(), (_mixed(chance) for _ in range(_QUERIES)))
    answered = refused = 0
    faults = []
    for condition in conditions:
        body = {"project_id": _PROJECT, **({"query": {"$expr": condition}} if condition else {})}
        try:
            wanted = client.post("/calls/query_stats", body)["count"]
        except RequestFailed:
            # Not a valid condition at all.
            continue
        try:
            found = client.post("/calls/query_stats", {**body, "engine": "clickhouse"})["count"]
        except RequestFailed as failure:
            if failure.status != 400:
                raise
            refused += 1
            continue
        answered += 1
        if found != wanted:
            faults.append(f"{json.dumps(condition)}: {found} instead of {wanted}")
        if chance.random() < _PAGED:
            faults.extend(_compare_pages(client, body, chance))
            faults.extend(_compare_statistics(client, body, chance))
            faults.extend(_compare_further(client, body, chance))
    assert not faults, f"{len(faults)} answers differ: {'; '.join(faults[:5])}"
    assert answered > refused, f"only {answered} of {answered + refused} conditions were answered"
    return answered


def _compare_pages(client: Client, body: dict, chance: random.Random) -> list[str]:
    """A page in a random order and the one after it; what differs in them."""
    sort = [{"field": field, "direction": chance.choice(["asc", "desc"])} for field in chance.choice(_ORDERS)]
    page = {**body, "sort_by": sort, "limit": chance.choice([1, 7, 50, 400]), "offset": chance.choice([0, 0, 3])}
    faults = []
    for _ in range(2):
        wanted = client.post("/calls/query", page)["calls"]
        found = client.post("/calls/query", {**page, "engine": "clickhouse"})["calls"]
        if found != wanted:
            ids = [[call["id"] for call in calls] for calls in (found, wanted)]
            faults.append(f"{json.dumps(page)}: {ids[0]} instead of {ids[1]}")
        if not wanted:
            break
        keys = [_value(wanted[-1], key["field"]) for key in sort]
        page = {**page, "after": [*keys, wanted[-1]["id"]], "offset": 0}
    return faults


def _compare_statistics(client: Client, body: dict, chance: random.Random) -> list[str]:
    """Percentiles and sums by day, maybe by group; what differs in them."""
    metric = {"metric": "latency_ms", "aggregations": ["avg", "max"], "percentiles": [50, 90, 99]}
    request = {
        **body,
        **chance.choice([{}, {"group_by": "op_name"}, {"group_by": "attributes.kind"}]),
        "start": f"2026-01-{chance.randrange(1, 15):02}T00:00:00Z",
        "end": "2026-01-27T00:00:00Z",
        "granularity": 86_400,
        "call_metrics": [metric, {"metric": "call_count"}],
        "totals": True,
    }
    wanted = client.post("/calls/stats", request)
    found = client.post("/calls/stats", {**request, "engine": "clickhouse"})
    return [] if found == wanted else [f"{json.dumps(request)}: {json.dumps(found)[:400]}"]


def _compare_further(client: Client, body: dict, chance: random.Random) -> list[str]:
    """Usage, threads, what a queue would get, and a search of all texts; what differs in them."""
    questions = {
        "/trace/usage": {},
        "/threads/stream_query": {},
        f"/annotation_queues/{_queue(client)}/items/add_by_query": {"count_only": True},
        "/calls/search": {"text": chance.choice(_SEARCHED), "limit": chance.choice([1, 10, 200])},
    }
    faults = []
    for path, more in questions.items():
        wanted, found = (
            client.text("POST", path, json.dumps({**body, **more, "engine": engine}).encode(), "application/json")
            for engine in ("duckdb", "clickhouse")
        )
        if found != wanted:
            faults.append(f"{path} {json.dumps({**body, **more})}: {found[:300]} instead of {wanted[:300]}")
    return faults


@functools.cache
def _queue(client: Client) -> str:
    queue = {"project_id": _PROJECT, "name": "found", "scorer_refs": [], "description": ""}
    return client.post("/annotation_queues", queue)["id"]


def _value(call: dict, path: str) -> object:
    for name in path.split("."):
        call = call.get(name) if isinstance(call, dict) else None
    return call


def _field(path: str) -> dict:
    return {"$getField": path}


def _literal(value: object) -> dict:
    return {"$literal": value}


def _each() -> list[dict]:
    """A search and a comparison for every text in every field, case-sensitive and not."""
    searches = itertools.product(_NEEDLES, _COLUMNS[:3] + _JSON, (True, False))
    equalities = itertools.product(_NEEDLES, _COLUMNS + _PATHS)
    return [
        *(_contains(path, text, ignores_case) for text, path, ignores_case in searches),
        *({"$eq": [_field(path), _literal(text)]} for text, path in equalities),
        *({"$eq": [_field(path), _literal(None)]} for path in _COLUMNS + _JSON + _PATHS + ["ended_at"]),
    ]


def _contains(path: str, text: str, ignores_case: bool) -> dict:
    return {"$contains": {"input": _field(path), "substr": _literal(text), "case_insensitive": ignores_case}}


def _mixed(chance: random.Random, depth: int = 2) -> dict:
    kind = chance.randrange(9 if depth > 0 else 6)
    text = chance.choice(_NEEDLES)
    if kind < 2:
        return _contains(chance.choice(_COLUMNS[:3] + _JSON), text, chance.random() < 0.5)
    if kind == 2:
        return {"$eq": [_field(chance.choice(_COLUMNS + _PATHS)), _literal(chance.choice([text, None]))]}
    if kind == 3:
        return {"$in": [_field(chance.choice(_COLUMNS + _PATHS)), [_literal(chance.choice(_NEEDLES)) for _ in range(3)]]}
    if kind == 4:
        operator = chance.choice(["$gt", "$gte", "$lt", "$lte"])
        return {operator: [_field(chance.choice(_COLUMNS)), _literal(text)]}
    if kind == 5:
        operator = chance.choice(["$gt", "$gte", "$lt", "$lte", "$eq"])
        time = f"2026-01-{chance.randrange(1, 29):02}T10:00:30.000123Z"
        return {operator: [_field(chance.choice(["started_at", "ended_at"])), _literal(time)]}
    if kind == 6:
        return {"$not": [_mixed(chance, depth - 1)]}
    return {chance.choice(["$and", "$or"]): [_mixed(chance, depth - 1) for _ in range(chance.randrange(1, 4))]}
