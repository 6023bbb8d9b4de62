"""Records traces of a support agent with MLflow in a SQLite file.

usage: make_mlflow.py FILE TRACES [STEPS]

Each trace has one root, and two spans per step: a model call and a tool.
"""

import sys

import mlflow
from mlflow.entities import AssessmentSource, AssessmentSourceType

file, traces = sys.argv[1], int(sys.argv[2])
steps = int(sys.argv[3]) if len(sys.argv) > 3 else 1
mlflow.set_tracking_uri("sqlite:///" + file)
mlflow.set_experiment("support")


@mlflow.trace(span_type="TOOL")
def find_order(number):
    return {"order": number, "state": "sent"}


@mlflow.trace(span_type="CHAT_MODEL")
def ask_model(messages):
    span = mlflow.get_current_active_span()
    span.set_attribute("mlflow.llm.model", "gpt-4o-mini")
    span.set_attribute("mlflow.chat.tokenUsage", {"input_tokens": 120, "output_tokens": 30, "total_tokens": 150})
    return {"role": "assistant", "content": "Your order is on its way."}


@mlflow.trace(name="support-agent", span_type="AGENT")
def answer(question, index):
    mlflow.update_current_trace(
        metadata={"mlflow.trace.user": f"user-{index % 7}", "mlflow.trace.session": f"session-{index // 3}"},
        tags={"team": "support"},
    )
    for step in range(steps):
        ask_model([{"role": "user", "content": question}])
        find_order(index * steps + step)
    if index % 10 == 9:
        raise ValueError("The order does not exist")
    return "It arrives tomorrow."


last = []
for index in range(traces):
    try:
        answer(f"Where is order {index}?", index)
    except ValueError:
        pass
    if index < 5:
        last.append(mlflow.get_last_active_trace_id())

mlflow.flush_trace_async_logging()
for trace_id in last:
    mlflow.log_feedback(
        trace_id=trace_id,
        name="helpful",
        value=True,
        rationale="It answers the question.",
        source=AssessmentSource(source_type=AssessmentSourceType.HUMAN, source_id="ann@example.com"),
    )
    mlflow.log_expectation(trace_id=trace_id, name="answer", value="It arrives tomorrow.")
