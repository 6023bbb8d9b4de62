"""One round of filling: rows for every stored table."""

from ..tracelake.client import Client
from .calls import add_calls
from .odd_values import NUMBERS, PROJECT, TEXTS, TIMES
from .telemetry import add_logs, add_metrics


def fill(client: Client, batch: str, calls: int, others: int, times: list[str] = TIMES) -> None:
    """Adds `calls` calls and about `others` rows to each further table; `batch` makes their ids fresh."""
    add_calls(client, batch, calls, times)
    _costs(client, batch, others, times)
    _feedback(client, batch, others)
    _objects(client, batch, others)
    _files(client, batch, others)
    _tables(client, batch, others)
    _queues(client, batch, others)
    _jobs(client, batch)
    _idempotency_keys(client, batch, others)
    add_logs(client, batch, others)
    add_metrics(client, batch, others)


def fill_settings(client: Client) -> None:
    """A rule and a retention time, for projects without calls. The rows of the audit log come by themselves."""
    project = {"project_id": f"{PROJECT}-settings"}
    condition = {"metric": "error_rate", "comparison": "above", "threshold": 0.1, "window_seconds": 60}
    webhook = {"kind": "webhook", "url": "https://example.com/hook"}
    client.post("/rules", {**project, "name": TEXTS[4], "filter": {}, "condition": condition, "action": webhook})
    client.post("/retention/set", {**project, "retention_days": 30})


def change(client: Client, batch: str) -> None:
    """Changes and deletes rows of an earlier round, so that files are rewritten."""
    for number in range(0, 8):
        body = {"project_id": PROJECT, "call_id": f"{batch}-{number}", "display_name": f"renamed {number}"}
        client.post("/call/update", body)
    client.post("/calls/delete", {"project_id": PROJECT, "call_ids": [f"{batch}-{number}" for number in (9, 10)]})
    purged = _feedback_where("creator", f"{batch}-1")
    (feedback,) = client.post("/feedback/query", {**purged, "fields": ["id"]})["result"]
    client.post("/feedback/purge", _feedback_where("id", feedback["id"]))
    client.post("/obj/delete", {"project_id": PROJECT, "object_id": f"{batch}-0", "digests": ["latest"]})


def _costs(client: Client, batch: str, count: int, times: list[str]) -> None:
    for number in range(count):
        price = NUMBERS[number % len(NUMBERS)]
        cost = {"prompt_token_cost": price, "completion_token_cost": 0.5, "effective_date": times[number % len(times)]}
        if number % 2:
            cost |= {"provider_id": "somebody", "cache_read_input_token_cost": price}
        client.post("/cost/create", {"project_id": PROJECT, "costs": {f"{batch}-{number}": cost}})


def _feedback(client: Client, batch: str, count: int) -> None:
    items = []
    for number in range(count):
        text = TEXTS[number % len(TEXTS)]
        item = {
            "project_id": PROJECT,
            "ext_ref": f"ext:///{PROJECT}/call/{batch}-{number}",
            "feedback_type": "custom",
            "creator": f"{batch}-{number}",
            "payload": {"text": text, "number": NUMBERS[number % len(NUMBERS)]},
        }
        if number % 2:
            item |= {"scorer_tags": [text[:20] or "empty", "two"], "scorer_ratings": {"good": 0.25}}
        items.append(item)
    client.post("/feedback/batch/create", {"batch": items})


def _feedback_where(field: str, value: str) -> dict:
    condition = {"$eq": [{"$getField": field}, {"$literal": value}]}
    return {"project_id": PROJECT, "query": {"$expr": condition}}


def _objects(client: Client, batch: str, count: int) -> None:
    for number in range(count):
        name = f"{batch}-{number}"
        val = {"text": TEXTS[number % len(TEXTS)], "number": number, "big": 2**70}
        made = client.post("/obj/create", {"obj": {"project_id": PROJECT, "object_id": name, "val": val}})
        path = f"/objs/{name}"
        client.put(f"{path}/versions/{made['digest']}/tags", {"project_id": PROJECT, "tags": ["seen"]})
        alias = {"project_id": PROJECT, "digest": made["digest"], "aliases": ["best"]}
        client.put(f"{path}/aliases", alias)


def _files(client: Client, batch: str, count: int) -> None:
    for number in range(count):
        content = f"{batch} {number}".encode() * number
        client.upload("/file/create", {"project_id": PROJECT}, f"{batch}-{number}.txt", content)


def _tables(client: Client, batch: str, count: int) -> None:
    for number in range(max(1, count // 4)):
        rows = [{"batch": batch, "row": [number, row], "text": TEXTS[row % len(TEXTS)]} for row in range(6)]
        client.post("/table/create", {"table": {"project_id": PROJECT, "rows": rows}})


def _queues(client: Client, batch: str, count: int) -> None:
    refs = [f"ext:///{PROJECT}/object/spec:{number}" for number in range(2)]
    for number in range(max(1, count // 4)):
        queue = {"project_id": PROJECT, "name": f"{batch} {number}", "scorer_refs": refs[:number]}
        if number:
            queue["description"] = TEXTS[number % len(TEXTS)]
        path = f"/annotation_queues/{client.post('/annotation_queues', queue)['id']}/items"
        calls = [f"{batch}-{call}" for call in range(4)]
        client.post(path, {"project_id": PROJECT, "call_ids": calls, "display_fields": ["inputs.text"]})
        items = client.post(f"{path}/query", {"project_id": PROJECT})["items"]
        for item, state in zip(items, ("in_progress", "completed", "skipped")):
            client.post(f"{path}/{item['id']}/progress", {"project_id": PROJECT, "annotation_state": state})


def _idempotency_keys(client: Client, batch: str, count: int) -> None:
    for number in range(count):
        text = TEXTS[number % len(TEXTS)]
        obj = {"project_id": PROJECT, "object_id": f"once-{batch}-{number}", "val": {"text": text}}
        client.post_once("/obj/create", {"obj": obj}, f"{batch}-{number}")


def _jobs(client: Client, batch: str) -> None:
    # One of each batch's own: the same object again would be a change of the first one.
    name = f"exact-{batch}"
    scorer = {"project_id": PROJECT, "object_id": name, "val": {}, "builtin_object_class": "ExactMatchScorer"}
    digest = client.post("/obj/create", {"obj": scorer})["digest"]
    ref = f"ext:///{PROJECT}/object/{name}:{digest}"
    client.post("/calls/score", {"project_id": PROJECT, "call_ids": [f"{batch}-1"], "scorer_refs": [ref]})
