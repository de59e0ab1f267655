"""The order in which two decoders can be computed, as drawn and as the library computes it."""

from itertools import product

import pytest
import torch
from course.wiring_figure import WORDS

from book.wiring import MODES, TRAINING, TRANSLATING, WIRINGS, Node
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.scorers import AdditiveScorer, BilinearScorer

NAMES = sorted(WIRINGS)
SIZES = (11, 3, 4, 6)  # of the vocabulary, embeddings, decoder states and encoder states
DECODERS = {"bahdanau": BahdanauDecoder, "luong": LuongDecoder, "feeding": InputFeedingDecoder}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_all_is_computed_once_from_what_is_there_and_a_sentence_names_it_and_what_comes_next(name, mode):
    wiring, graph = WIRINGS[name], WIRINGS[name].graph(4, mode)
    given = {Node("h"), Node("s", 0), Node("y", 0)} | ({Node("y", i) for i in range(4)} if mode == TRAINING else set())
    assert not given & set(graph)
    done = set(given)
    described = list(wiring.described_steps(4, mode))
    for now, (ids, sentence) in zip(wiring.steps(4, mode), described, strict=True):
        assert len({node.kind for node in now}) == 1
        for node in now:
            # A recurrent layer's own run computes its states one after another.
            states = {earlier for earlier in now if earlier.kind == "s" and earlier.word < node.word}
            assert set(graph[node]) <= done | states
        assert not done & {*now}
        done |= {*now}
        assert ids == [node.id for node in now]
        assert all(wiring.label(node) in sentence for node in now)
    assert done == given | set(graph)
    assert described[-1][1].endswith("Everything is computed.")
    assert ("waits for" in " ".join(sentence for _, sentence in described)) == (name != "luong" or mode == TRANSLATING)


def test_in_training_only_luongs_decoder_has_as_many_steps_for_a_long_sentence_as_for_a_short_one():
    for words in (1, 2, 3, 7, 20):
        steps = {name: len(list(wiring.steps(words))) for name, wiring in WIRINGS.items()}
        assert steps == {"bahdanau": 3 * words + 2, "luong": 5, "feeding": 4 * words + 1}
        assert {len(list(wiring.steps(words, TRANSLATING))) for wiring in WIRINGS.values()} == {6 * words - 1}


def sources(graph, node):
    """All that a quantity depends on, the first state's own sources left out."""
    return {node}.union(*(sources(graph, source) for source in graph.get(node, ())))


@pytest.mark.parametrize("name", NAMES)
def test_the_library_computes_each_state_and_weight_from_what_the_drawing_says(name):
    """What moves when the values are changed, or the word before, is what depends on them in the drawing."""
    torch.manual_seed(0)
    scorer = AdditiveScorer(4, 6, 5) if name == "bahdanau" else BilinearScorer(4, 6)
    model, graph = DECODERS[name](*SIZES, scorer), WIRINGS[name].graph(WORDS)
    states, words = torch.randn(1, 5, 6), torch.tensor([[1, 5, 7]])
    memory, start = model.start(states, torch.randn(1, 6), torch.ones(1, 5, dtype=torch.bool))

    def run(memory, words):
        """The state, as it comes out of the step, the weights and the logits of each word."""
        state, steps = start, []
        for word in words.unbind(1):
            logits, weights, state = model.step(word, state, memory)
            hidden = state if torch.is_tensor(state) else state[0]
            steps.append({"s": hidden, "α": weights, "p": logits})
        return steps

    with torch.no_grad():
        as_it_is = run(memory, words)
        for change in (Node("h"), *(Node("y", i) for i in range(WORDS))):
            if change.kind == "h":
                moved = run(memory._replace(values=memory.values.flip(1)), words)
            else:
                other = words.clone()
                other[0, change.word] += 1
                moved = run(memory, other)
            kinds = ("s", "p", "α") if change.kind == "y" else ("s", "p")  # the weights know the words of their query
            for i, kind in product(range(WORDS), kinds):
                depends = change in sources(graph, Node(kind, i + 1))
                assert depends == (not torch.equal(as_it_is[i][kind], moved[i][kind])), (change, kind, i)
