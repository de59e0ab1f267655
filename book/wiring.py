"""The wiring of Bahdanau's and of Luong's decoder: what each quantity is computed from, and so in which order.

Both have the same quantities, drawn in the same places: for target word i the weights α, the context c, the state s,
what the word is read from (Bahdanau's readout t, Luong's attentional state h̃), and the probabilities p.
Each is drawn with the letters of its own paper: Luong's state is h, his encoder states are h̄, the word is t.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

KINDS = ("s", "α", "c", "r", "p")  # r: what the word is read from; this order where several could be computed
TRAINING, TRANSLATING = MODES = ("training", "translating")


class Node(NamedTuple):
    """A quantity of target word ``word``; ``y`` is that word itself, ``h`` all encoder states."""

    kind: str
    word: int = 0

    @property
    def id(self) -> str:
        return f"{self.kind}{self.word}"


@dataclass(frozen=True)
class Wiring:
    """What a quantity with index ``i`` is computed from: kinds, and whether those of the word before."""

    name: str
    title: str
    inputs: dict[str, tuple[tuple[str, int], ...]]  # kind → (kind, 0 or -1)
    equations: dict[str, str]
    letters: dict[str, str]  # of kinds that the paper calls otherwise
    index: str = "i"

    def graph(self, words: int, mode: str = TRAINING) -> dict[Node, tuple[Node, ...]]:
        """The inputs of every quantity, those that are given left out of the keys.

        In training all words before are given; in translating each but the first is chosen from its probabilities.
        """
        graph = {
            Node(kind, i): tuple(Node(source, i + shift if source != "h" else 0) for source, shift in self.inputs[kind])
            for i in range(1, words + 1)
            for kind in KINDS
        }
        graph = {node: tuple(source for source in sources if source != Node("r", 0)) for node, sources in graph.items()}
        if mode == TRANSLATING:
            graph |= {Node("y", i): (Node("p", i),) for i in range(1, words)}
        return graph

    def steps(self, words: int, mode: str = TRAINING) -> Iterator[list[Node]]:
        """What is computed one after the other; within a step everything of a kind whose inputs are ready.

        The states of several words are one step, one run of the recurrent layer, if nothing comes between them.
        In translating, everything of a word comes before anything of the next.
        """
        graph = self.graph(words, mode)
        waiting = set(graph)
        while waiting:
            ready = [node for node in waiting if not waiting.intersection(graph[node])]
            first = min(ready, key=lambda node: (node.word * (mode == TRANSLATING), _order(node), node.word))
            now = [first] if mode == TRANSLATING else sorted(node for node in ready if node.kind == first.kind)
            if first.kind == "s" and mode == TRAINING:
                while (after := Node("s", now[-1].word + 1)) in waiting and waiting.intersection(graph[after]) <= {
                    *now
                }:
                    now.append(after)
            waiting -= {*now}
            yield now

    def described_steps(self, words: int, mode: str = TRAINING) -> Iterator[tuple[list[str], str]]:
        """The steps, by ids, each with a sentence on what is computed, from what, and what waits."""
        graph, steps = self.graph(words, mode), list(self.steps(words, mode))
        waiting = set(graph)
        for now, after in zip(steps, [*steps[1:], []], strict=True):
            waiting -= {*now}
            yield [node.id for node in now], f"{self._computed(now)} {self._waits(waiting, graph, after)}"

    def letter(self, kind: str) -> str:
        return self.letters.get(kind, kind)

    def label(self, node: Node) -> str:
        return self.letter("h") if node.kind == "h" else f"{self.letter(node.kind)}{_subscript(str(node.word))}"

    def _computed(self, now: list[Node]) -> str:
        kind, names = now[0].kind, _listed([self.label(node) for node in now])
        if kind == "y":
            return f"The word {names} is chosen from {self.label(Node('p', now[0].word))}."
        index = self.index if len(now) > 1 else str(now[0].word)
        before = f"{self.index}-1" if len(now) > 1 else str(now[0].word - 1)
        equation = self.equations[kind].format(i=_subscript(index), b=_subscript(before))
        together = ", in one run of the recurrent layer" if kind == "s" else ", in one product"
        return f"{names}{together}: {equation}." if len(now) > 1 else f"{equation}."

    def _waits(self, waiting: set[Node], graph: dict[Node, tuple[Node, ...]], after: list[Node]) -> str:
        state = min((node for node in waiting if node.kind == "s"), default=None)
        if state and (lacking := [self.label(node) for node in graph[state] if node in waiting]):
            return f"{self.label(state)} waits for {_listed(lacking)}."
        return f"Next: {_listed([self.label(node) for node in after])}." if after else "Everything is computed."


def _order(node: Node) -> int:
    return KINDS.index(node.kind) if node.kind in KINDS else len(KINDS)


def _subscript(index: str) -> str:
    return index.translate(str.maketrans("0123456789it-", "₀₁₂₃₄₅₆₇₈₉ᵢₜ₋"))


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


ALIKE = {"c": (("α", 0), ("h", 0)), "p": (("r", 0),)}
BAHDANAU = Wiring(
    name="bahdanau",
    title="Bahdanau: ask, then move on",
    inputs=ALIKE
    | {
        "α": (("s", -1), ("h", 0)),
        "s": (("s", -1), ("y", -1), ("c", 0)),
        "r": (("s", 0), ("y", -1), ("c", 0)),
    },
    equations={
        "α": "α{i} = softmax(score(s{b}, h))",
        "c": "c{i} = Σⱼ α{i}ⱼ hⱼ",
        "s": "s{i} = f(s{b}, y{b}, c{i})",
        "r": "t{i} = readout(s{i}, y{b}, c{i})",
        "p": "p{i} = softmax(W t{i})",
    },
    letters={"r": "t"},
)
LUONG = Wiring(
    name="luong",
    title="Luong: move on, then ask",
    inputs=ALIKE | {"α": (("s", 0), ("h", 0)), "s": (("s", -1), ("y", -1)), "r": (("s", 0), ("c", 0))},
    equations={
        "α": "α{i} = softmax(score(h{i}, h̄))",
        "c": "c{i} = Σₛ α{i}ₛ h̄ₛ",
        "s": "h{i} = RNN(y{b}, h{b})",
        "r": "h̃{i} = tanh(W [c{i}; h{i}])",
        "p": "p{i} = softmax(W h̃{i})",
    },
    letters={"s": "h", "h": "h̄", "r": "h̃"},
    index="t",
)
FEEDING = Wiring(
    name="feeding",
    title=LUONG.title,
    inputs=LUONG.inputs | {"s": (*LUONG.inputs["s"], ("r", -1))},
    equations=LUONG.equations | {"s": "h{i} = RNN([y{b}; h̃{b}], h{b})"},
    letters=LUONG.letters,
    index=LUONG.index,
)
WIRINGS = {wiring.name: wiring for wiring in (BAHDANAU, LUONG, FEEDING)}
