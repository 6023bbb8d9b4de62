"""What was acknowledged and what was deleted while many wrote at the same time."""

import threading


class Oracle:
    """Calls that have to be there, with their inputs. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inputs: dict[str, dict] = {}

    def stored(self, calls: list[dict]) -> None:
        """Bodies of calls that the server has acknowledged."""
        with self._lock:
            self._inputs |= {call["id"]: call["inputs"] for call in calls}

    def copied(self, ids: list[str], suffix: str) -> None:
        """Rows that an engine has committed."""
        with self._lock:
            self._inputs |= {id + suffix: self._inputs[id] for id in ids}

    def deleted(self, ids: list[str]) -> None:
        """By the server, acknowledged, or by an engine, committed."""
        with self._lock:
            for id in ids:
                del self._inputs[id]

    def some(self, ending: str, count: int) -> list[str]:
        """The oldest calls whose ids end so."""
        with self._lock:
            return [id for id in self._inputs if id.endswith(ending)][:count]

    def faults(self, found: list[dict]) -> list[str]:
        """What is wrong with the calls that somebody read (`id`, `inputs`); nobody writes any more."""
        ids = [call["id"] for call in found]
        doubled = sorted(id for id in set(ids) if ids.count(id) > 1) if len(ids) > len(set(ids)) else []
        lost = sorted(self._inputs.keys() - set(ids))
        undeleted = sorted(set(ids) - self._inputs.keys())
        altered = [call["id"] for call in found if call["inputs"] != self._inputs.get(call["id"], call["inputs"])]
        kinds = {"lost": lost, "doubled": doubled, "undeleted or never stored": undeleted, "altered": altered}
        return [f"{len(ids)} {kind}: {', '.join(ids[:5])}" for kind, ids in kinds.items() if ids]
