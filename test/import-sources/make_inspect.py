"""Records evaluation logs of Inspect with its mock model.

usage: make_inspect.py FOLDER [SAMPLES]

Two logs: an agent with a tool and a sub-agent, whose answers are scored by two scorers over two
epochs; and a task in which one sample fails, as JSON. With SAMPLES, one large log instead.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.agent import agent, as_tool
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, includes, mean, scorer
from inspect_ai.solver import TaskState, solver, system_message, use_tools
from inspect_ai.tool import ToolError, tool

usage = ModelUsage(
    input_tokens=120, output_tokens=30, total_tokens=200, input_tokens_cache_read=50, reasoning_tokens=5
)


def tool_call(name, **arguments):
    output = ModelOutput.for_tool_call("mockllm/model", name, arguments)
    output.usage = usage
    return output


def says(text):
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = usage
    return output


@tool
def find_order():
    async def execute(order: int):
        """Finds an order.

        Args:
            order: Number of the order.
        """
        if order == 2:
            raise ToolError("The order does not exist")
        return f"Order {order} was sent."

    return execute


@scorer(metrics=[mean()])
def brevity():
    async def score(state: TaskState, target: Target):
        return Score(value=1 / max(1, len(state.output.completion.split())), explanation="Fewer words are better.")

    return score


@agent
def courier():
    async def execute(state):
        """Asks the courier where an order is."""
        state.messages.append(ChatMessageUser(content="Where is it?"))
        state.output = await get_model().generate(state.messages)
        state.messages.append(state.output.message)
        return state

    return execute


@solver
def support():
    async def solve(state, generate):
        return await generate(state)

    return solve


def samples(count):
    return [
        Sample(
            id=number,
            input=f"Where is order {number}?",
            target="tomorrow",
            metadata={"customer": f"customer-{number}"},
        )
        for number in range(1, count + 1)
    ]


def orders(count):
    return Task(
        name="orders",
        dataset=samples(count),
        solver=[
            system_message("You answer questions about orders. " * 20),
            use_tools(find_order(), as_tool(courier(), description="Asks the courier.")),
            support(),
        ],
        scorer=[includes(), brevity()],
    )


def answers(count):
    """Per sample: a tool, the sub-agent, and the answer. Samples run one after the other."""
    for number in range(1, count + 1):
        yield tool_call("find_order", order=number)
        yield tool_call("courier", input="Where is the order?")
        yield says("In the van.")
        yield says("It arrives tomorrow." if number % 2 else "I do not know.")


@solver
def failing():
    async def solve(state, generate):
        if state.sample_id == "second":
            raise RuntimeError("The sandbox is gone")
        return await generate(state)

    return solve


def without_tracebacks(value):
    """Tracebacks have paths of the machine that recorded them."""
    if isinstance(value, list):
        return [without_tracebacks(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: "" if name.startswith("traceback") else without_tracebacks(one) for name, one in value.items()}


folder = Path(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 2
epochs = 2 if len(sys.argv) <= 2 else 1
recording = tempfile.mkdtemp()
common = {"display": "none", "max_samples": 1, "log_dir": recording}
[log] = eval(
    orders(count),
    model=get_model("mockllm/model", custom_outputs=[one for _ in range(epochs) for one in answers(count)]),
    epochs=epochs,
    **common,
)
folder.mkdir(parents=True, exist_ok=True)
shutil.copy(log.location, folder / "orders.eval")
if len(sys.argv) <= 2:
    task = Task(
        name="failing",
        dataset=[Sample(id=name, input="Hello", target="Hello") for name in ("first", "second")],
        solver=failing(),
        scorer=includes(),
    )
    [log] = eval(
        task,
        model=get_model("mockllm/model", custom_outputs=[says("Hello")]),
        fail_on_error=False,
        log_format="json",
        **common,
    )
    document = without_tracebacks(json.loads(Path(log.location).read_text()))
    (folder / "failing.json").write_text(json.dumps(document, indent=2) + "\n")
shutil.rmtree(recording)
