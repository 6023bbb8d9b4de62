"""Uses the vendor's Python client as an application would; any version from 0.51 on.

python program.py ENTITY/PROJECT. Prints a line `STEP <name> ok` or `STEP <name> failed: <why>` a step. The
environment names the server and the key.
"""

import asyncio
import logging
import os
import sys
import time
import traceback

import weave

project = sys.argv[1]
complaints = []


class Complaints(logging.Handler):
    """The client tells of failed requests in its log, and goes on: here that is a failure."""

    def emit(self, record):
        if record.levelno >= logging.ERROR:
            complaints.append(record.getMessage())


logging.getLogger().addHandler(Complaints())
logging.getLogger("weave").addHandler(Complaints())
client = None
# With a log of its own the client sends from there, once a second, and does not wait for it.
KEEPS_LOG = os.environ.get("WEAVE_ENABLE_WAL") == "true"


def settle():
    client.flush()
    if KEEPS_LOG:
        time.sleep(3)


def init():
    global client
    client = weave.init(project)


@weave.op
def look_up(word: str) -> dict:
    if word == "broken":
        raise ValueError("no such word")
    return {"word": word, "meaning": f"{word}!"}


@weave.op
def answer(words: list) -> dict:
    return {"found": [look_up(word) for word in words], "text": "ä 😀", "nothing": None, "fraction": 0.5, "whole": 1.0}


@weave.op
def count(to: int):
    yield from range(to)


def trace():
    value, call = answer.call(["one", "two"])
    assert value["found"][1]["meaning"] == "two!"
    _, failed = answer.call(["broken"])
    assert "no such word" in str(failed.exception)
    assert list(count(3)) == [0, 1, 2]
    with weave.attributes({"run": "night", "nested": {"depth": 2}}):
        look_up("attributed")
    with weave.thread("a talk"):
        look_up("in a thread")
    settle()
    read = client.get_call(call.id)
    assert read.output["found"][0]["word"] == "one" and read.output["whole"] == 1.0
    assert [child.op_name.split("/")[-1].split(":")[0] for child in read.children()] == ["look_up", "look_up"]
    assert read.summary["weave"]["status"] == "success"
    calls = client.get_calls(filter={"trace_roots_only": True}, sort_by=[{"field": "started_at", "direction": "asc"}])
    assert len(calls) == 5, len(calls)
    assert calls[0].id == call.id and calls[3].attributes["nested"]["depth"] == 2
    query = {"$expr": {"$contains": {"input": {"$getField": "inputs.word"}, "substr": {"$literal": "thread"}}}}
    assert [found.thread_id for found in client.get_calls(query=query)] == ["a talk"]
    assert len(list(client.get_calls(include_costs=True, include_feedback=True, limit=2))) == 2


def update():
    _, call = look_up.call("named")
    settle()
    call.set_display_name("A name")
    settle()
    assert client.get_call(call.id).display_name == "A name"
    call.delete()
    settle()
    assert len(client.get_calls(filter={"call_ids": [call.id]})) == 0


class Settings(weave.Object):
    limit: int
    words: list


def publish():
    plain = {"list": [1, 2.5, "ä"], "nested": {"deep": [{"a": None}]}, "z": 1, "a": True}
    first = weave.publish(plain, name="settings")
    again = weave.publish(plain, name="settings")
    other = weave.publish({"list": []}, name="settings")
    settle()
    assert first.digest == again.digest != other.digest
    assert weave.ref(first.uri()).get()["nested"]["deep"][0]["a"] is None
    assert list(weave.ref("settings:latest").get()["list"]) == []
    ref = weave.publish(Settings(limit=3, words=["a", "b"]), name="typed")
    settle()
    assert weave.ref(ref.uri()).get().words == ["a", "b"]
    op = weave.publish(look_up)
    settle()
    assert "no such word" in weave.ref(op.uri()).get().get_captured_code()


def dataset():
    rows = [{"question": "1+1", "expected": 2}, {"question": "π", "expected": 3.14}, {"question": "2+2", "expected": 4}]
    ref = weave.publish(weave.Dataset(name="questions", rows=rows))
    settle()
    read = weave.ref(ref.uri()).get()
    assert [dict(row) for row in read.rows] == rows and len(read.rows) == 3
    longer = weave.publish(weave.Dataset(name="questions", rows=[*rows, {"question": "x", "expected": None}]))
    settle()
    assert len(weave.ref(longer.uri()).get().rows) == 4
    look_up(read.rows[0]["question"])


def prompts():
    text = weave.publish(weave.StringPrompt("Hello {name}"), name="greeting")
    messages = weave.publish(weave.MessagesPrompt([{"role": "user", "content": "You are {mood}"}]), name="chat")
    settle()
    assert weave.ref(text.uri()).get().format(name="you") == "Hello you"
    assert weave.ref(messages.uri()).get().format(mood="kind")[0]["content"] == "You are kind"


def files():
    content = weave.Content.from_bytes(b"%PDF-1.4 not really", extension="pdf")

    @weave.op
    def paper():
        return content

    _, call = paper.call()
    settle()
    assert client.get_call(call.id).output.data == b"%PDF-1.4 not really"


class Adder(weave.Model):
    offset: int = 0

    @weave.op
    def predict(self, question: str) -> int:
        left, right = question.split("+")
        return int(left) + int(right) + self.offset


@weave.op
def exact(output: int, expected: int) -> bool:
    return output == expected


class Distance(weave.Scorer):
    @weave.op
    def score(self, *, output: int, expected: int) -> dict:
        return {"absolute": abs(output - expected)}


def evaluate():
    rows = [{"question": "1+1", "expected": 2}, {"question": "2+2", "expected": 5}]
    evaluation = weave.Evaluation(name="sums", dataset=weave.Dataset(name="pairs", rows=rows), scorers=[exact, Distance()])
    summary = asyncio.run(evaluation.evaluate(Adder()))
    assert summary["exact"]["true_count"] == 1 and summary["Distance"]["absolute"]["mean"] == 0.5, summary
    settle()
    [root] = [
        call
        for call in client.get_calls(filter={"trace_roots_only": True})
        if "/op/Evaluation.evaluate:" in call.op_name
    ]
    names = [call.op_name.split("/")[-1].split(":")[0] for call in client.get_calls(filter={"trace_ids": [root.trace_id]})]
    assert [names.count(name) for name in ("Evaluation.predict_and_score", "exact", "Distance.score")] == [2, 2, 2], names
    # The client takes the call of a trace that started last for the summary of the evaluation. With a scorer that
    # has a class that is the scorer's own summary, and then it finds no scores: so it is asked where there is none.
    plain = weave.Evaluation(name="plain", dataset=weave.Dataset(name="plain-pairs", rows=rows), scorers=[exact])
    asyncio.run(plain.evaluate(Adder()))
    settle()
    if hasattr(plain, "get_score_calls"):
        scored = plain.get_score_calls()
        assert [len(calls) for calls in scored.values()] == [2], scored


def by_hand():
    logger = weave.EvaluationLogger(model="person", dataset="handmade")
    for question, said, good in [("a", "x", True), ("b", "y", False)]:
        prediction = logger.log_prediction(inputs={"question": question}, output=said)
        prediction.log_score("good", good)
        prediction.finish()
    logger.log_summary({"note": "done"})
    settle()


def feedback():
    _, call = look_up.call("praised")
    settle()
    read = client.get_call(call.id)
    reaction = read.feedback.add_reaction("👍")
    note = read.feedback.add_note("well done")
    own = read.feedback.add("rating", {"stars": 5, "z": 1, "a": 2})
    settle()
    given = list(client.get_call(call.id).feedback)
    assert sorted(one.id for one in given) == sorted([reaction, note, own]), given
    assert [one.payload["stars"] for one in client.get_feedback() if one.feedback_type == "rating"] == [5]
    assert len(client.get_feedback(reaction="👍")) == 1
    read.feedback.purge(note)
    assert len(client.get_call(call.id).feedback) == 2


def score():
    _, call = look_up.call("judged")

    @weave.op
    def judge(output: dict) -> bool:
        return "judged" in output["meaning"]

    result = asyncio.run(call.apply_scorer(judge))
    assert result.result is True
    settle()
    kinds = [one.feedback_type for one in client.get_call(call.id).feedback]
    assert kinds == ["wandb.runnable.judge"], kinds


def costs():
    client.add_cost(llm_id="a-model", prompt_token_cost=0.1, completion_token_cost=0.2)
    assert [cost.llm_id for cost in client.query_costs(llm_ids=["a-model"])] == ["a-model"]

    @weave.op
    def ask():
        return {"usage": {"prompt_tokens": 10, "completion_tokens": 5}, "model": "a-model"}

    _, call = ask.call()
    settle()
    [read] = client.get_calls(filter={"call_ids": [call.id]}, include_costs=True)
    priced = read.summary["weave"]["costs"]["a-model"]
    assert abs(priced["prompt_tokens_total_cost"] - 1.0) < 1e-9, priced
    client.purge_costs([cost.id for cost in client.query_costs(llm_ids=["a-model"])])
    settle()


def interface():
    """The module with the shapes of requests, where there is one."""
    for name in ("weave.shared.trace_server_interface", "weave.trace_server.trace_server_interface"):
        try:
            return __import__(name, fromlist=["x"])
        except ImportError:
            pass
    return None


def sizes():
    shapes = interface()
    # Since 0.54 a request is a plain dict.
    request = {"project_id": project} if shapes is None else shapes.ProjectStatsReq(project_id=project)
    stats = client.server.project_stats(request)
    assert stats.trace_storage_size_bytes > 1000 and stats.objects_storage_size_bytes > 100, stats
    assert stats.tables_storage_size_bytes > 100 and stats.files_storage_size_bytes > 100, stats


def delete():
    ref = weave.publish({"to": "go"}, name="gone")
    settle()
    client.delete_object_version(ref)
    try:
        weave.ref(ref.uri()).get()
    except Exception as error:  # noqa: BLE001 - its class differs from version to version
        assert "delet" in str(error).lower() or "not found" in str(error).lower(), error
    else:
        raise AssertionError("a deleted object was read")
    # Other content: older clients remember what they have published, and do not send it twice.
    again = weave.publish({"to": "stay"}, name="gone")
    settle()
    assert weave.ref(again.uri()).get()["to"] == "stay"


def finish():
    settle()
    weave.finish()


STEPS = [init, trace, update, publish, dataset, prompts, files, evaluate, by_hand, feedback, score, costs, sizes, delete, finish]

for step in STEPS:
    complaints.clear()
    try:
        step()
        why = complaints[0] if complaints else None
    except Exception as error:  # noqa: BLE001 - a step that fails is told of, and the next one begins
        traceback.print_exc()
        why = f"{type(error).__name__}: {error}"
    told = "ok" if why is None else "failed: " + " ".join(why.split())[:300]
    print(f"STEP {step.__name__} {told}", flush=True)
    if why is not None and step is init:
        break
