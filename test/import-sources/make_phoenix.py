"""Records traces of a support agent in a running Phoenix, over OTLP and its own API.

usage: make_phoenix.py URL TRACES [STEPS [FIRST]]

Each trace has one root, and two spans per step: a model call and a tool.
"""

import hashlib
import json
import sys
import time
import urllib.request

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

url, traces = sys.argv[1], int(sys.argv[2])
steps = int(sys.argv[3]) if len(sys.argv) > 3 else 1
first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
first_ns = 1_770_000_000_000_000_000


def identifier(size, *parts):
    return hashlib.sha256(json.dumps(parts).encode()).digest()[:size]


def attributes(values):
    def value(given):
        return AnyValue(int_value=given) if isinstance(given, int) else AnyValue(string_value=given)

    return [KeyValue(key=key, value=value(given)) for key, given in values.items()]


def span(trace, number, parent, name, kind, values, error=""):
    start = first_ns + trace * 60_000_000_000 + number * 10_000_000
    status = Status(code=Status.STATUS_CODE_ERROR, message=error) if error else Status(code=Status.STATUS_CODE_OK)
    events = []
    if error:
        named = {"exception.type": "ValueError", "exception.message": error}
        events = [Span.Event(name="exception", time_unix_nano=start, attributes=attributes(named))]
    return Span(
        trace_id=identifier(16, "trace", trace),
        span_id=identifier(8, "span", trace, number),
        parent_span_id=b"" if parent is None else identifier(8, "span", trace, parent),
        name=name,
        start_time_unix_nano=start,
        end_time_unix_nano=start + 5_000_000,
        status=status,
        events=events,
        attributes=attributes({"openinference.span.kind": kind, "session.id": f"session-{trace // 3}", **values}),
    )


def model_call(question):
    return {
        "llm.model_name": "gpt-4o-mini",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": question,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "Your order is on its way.",
        "llm.token_count.prompt": 120,
        "llm.token_count.completion": 30,
        "llm.token_count.total": 150,
        "user.id": "user-1",
    }


def trace_spans(trace):
    question = f"Where is order {trace}?"
    error = "The order does not exist" if trace % 10 == 9 else ""
    yield span(trace, 0, None, "support-agent", "AGENT", {"input.value": question, "output.value": "Tomorrow."}, error)
    for step in range(steps):
        yield span(trace, 2 * step + 1, 0, "ask-model", "LLM", model_call(question))
        values = {"tool.name": "find_order", "input.value": json.dumps({"order": trace}), "output.value": "sent"}
        yield span(trace, 2 * step + 2, 0, "find_order", "TOOL", values)


def post(path, body, kind):
    request = urllib.request.Request(url + path, data=body, headers={"content-type": kind}, method="POST")
    for _ in range(5000):
        try:
            return urllib.request.urlopen(request).read()
        except urllib.error.HTTPError as error:
            # It has a bounded queue of spans.
            if error.code != 503:
                raise RuntimeError(error.read().decode()) from error
            time.sleep(0.5)
    raise RuntimeError("Phoenix stays overloaded")


def export(spans):
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.extend(attributes({"openinference.project.name": "support"}))
    group.scope_spans.add().spans.extend(spans)
    post("/v1/traces", request.SerializeToString(), "application/x-protobuf")


def stored():
    query = {"query": "{ projects { edges { node { traceCount recordCount } } } }"}
    answer = json.loads(post("/graphql", json.dumps(query).encode(), "application/json"))
    return sum(edge["node"]["recordCount"] for edge in answer["data"]["projects"]["edges"])


batch = []
for trace in range(first, traces):
    batch.extend(trace_spans(trace))
    if len(batch) >= 500:
        export(batch)
        batch = []
export(batch)
expected = traces * (1 + 2 * steps)
while stored() < expected:
    time.sleep(0.5)

annotations = [
    {
        "span_id": identifier(8, "span", trace, 0).hex(),
        "name": "helpful",
        "annotator_kind": "HUMAN",
        "result": {"label": "yes", "score": 1, "explanation": "It answers the question."},
        "metadata": {"reviewer": "ann"},
    }
    for trace in range(min(traces, 5))
]
post("/v1/span_annotations?sync=true", json.dumps({"data": annotations}).encode(), "application/json")
examples = {
    "action": "create",
    "name": "orders",
    "inputs": [{"question": f"Where is order {number}?"} for number in range(3)],
    "outputs": [{"answer": "It arrives tomorrow."} for _ in range(3)],
    "metadata": [{"number": number} for number in range(3)],
}
dataset = json.loads(post("/v1/datasets/upload?sync=true", json.dumps(examples).encode(), "application/json"))["data"]


def post_json(path, body):
    return json.loads(post(path, json.dumps(body).encode(), "application/json") or b"null")


def get(path):
    return json.loads(urllib.request.urlopen(url + path).read())


def record_experiment():
    """An experiment over the dataset, of which one run has failed, and an example that is added later."""
    path = f"/v1/datasets/{dataset['dataset_id']}"
    times = {"start_time": "2026-02-02T03:00:00Z", "end_time": "2026-02-02T03:00:01.5Z"}
    body = {"name": "first", "description": "The first try", "metadata": {"model": "gpt-4o-mini"}, "repetitions": 1}
    experiment = post_json(f"{path}/experiments", body)["data"]
    for number, example in enumerate(get(f"{path}/examples")["data"]["examples"]):
        error = "The model is overloaded" if number == 2 else None
        result = {
            "dataset_example_id": example["id"],
            "repetition_number": 1,
            "output": None if error else "It arrives tomorrow.",
            "error": error,
            "trace_id": identifier(16, "trace", number).hex(),
            **times,
        }
        run = post_json(f"/v1/experiments/{experiment['id']}/runs", result)["data"]
        score = {"label": "right", "score": 1.0, "explanation": "Equal"} if number == 0 else {"label": "wrong", "score": 0}
        judged = {"experiment_run_id": run["id"], "name": "exact", "annotator_kind": "CODE", "result": score, **times}
        if not error:
            post_json("/v1/experiment_evaluations", judged)
    more = {"action": "append", "name": "orders", "inputs": [{"question": "Hello?"}], "outputs": [{"answer": "Hi."}]}
    post_json("/v1/datasets/upload?sync=true", more)


def record_prompt():
    parameters = {"type": "openai", "openai": {"temperature": 0.2}}
    for text in ("Where is {order}?", "Where is order {order}, please?"):
        version = {
            "model_provider": "OPENAI",
            "model_name": "gpt-4o-mini",
            "template": {"type": "chat", "messages": [{"role": "user", "content": text}]},
            "template_type": "CHAT",
            "template_format": "F_STRING",
            "invocation_parameters": parameters,
        }
        prompt = {"name": "ask-order", "description": "Asks for an order"}
        stored = post_json("/v1/prompts", {"prompt": prompt, "version": version})["data"]
        if "please" not in text:
            post_json(f"/v1/prompt_versions/{stored['id']}/tags", {"name": "production"})


record_experiment()
record_prompt()
print(f"{expected} spans")
