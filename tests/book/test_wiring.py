"""The order in which two decoders can be computed, as drawn and as the library computes it."""

import io
import json
import sys
from pathlib import Path

import pytest
import torch
from bs4 import BeautifulSoup
from prose import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.wiring_figure import WORDS

from book.wiring import KINDS, MODES, TRAINING, TRANSLATING, WIRINGS, Node
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.scorers import AdditiveScorer, BilinearScorer

NAMES = sorted(WIRINGS)
SIZES = {"vocab_size": 11, "embedding_size": 3, "hidden_size": 4, "encoder_size": 6}


def decoder(name):
    if name == "bahdanau":
        return BahdanauDecoder(*SIZES.values(), AdditiveScorer(4, 6, 5))
    return {"luong": LuongDecoder, "feeding": InputFeedingDecoder}[name](**SIZES, scorer=BilinearScorer(4, 6))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_all_is_computed_once_and_from_what_is_there(name, mode):
    graph = WIRINGS[name].graph(4, mode)
    given = {Node("h"), Node("s", 0), Node("y", 0)} | ({Node("y", i) for i in range(4)} if mode == TRAINING else set())
    assert not given & set(graph)
    done = set(given)
    for now in WIRINGS[name].steps(4, mode):
        assert len({node.kind for node in now}) == 1
        for node in now:
            states = {one for one in now if one.kind == "s" and one.word < node.word}  # a recurrent layer's own run
            assert set(graph[node]) <= done | states
        assert not done & {*now}
        done |= {*now}
    assert done == given | set(graph)


def test_in_training_only_luongs_decoder_has_as_many_steps_for_a_long_sentence_as_for_a_short_one():
    for words in (1, 2, 3, 7, 20):
        steps = {name: len(list(wiring.steps(words))) for name, wiring in WIRINGS.items()}
        assert steps == {"bahdanau": 3 * words + 2, "luong": 5, "feeding": 4 * words + 1}
        assert {len(list(wiring.steps(words, TRANSLATING))) for wiring in WIRINGS.values()} == {6 * words - 1}


def sources(graph, node):
    """All that a quantity depends on, the first state's own sources left out."""
    return {node}.union(*(sources(graph, one) for one in graph.get(node, ())))


@pytest.mark.parametrize("name", NAMES)
def test_the_library_computes_each_state_and_weight_from_what_the_drawing_says(name):
    """What moves when the values are changed, or the word before, is what depends on them in the drawing."""
    torch.manual_seed(0)
    model, graph = decoder(name), WIRINGS[name].graph(WORDS)
    states, words = torch.randn(1, 5, 6), torch.tensor([[1, 5, 7]])
    memory, start = model.start(states, torch.randn(1, 6), torch.ones(1, 5, dtype=torch.bool))

    def run(memory, words):
        """The state, as it comes out of the step, the weights and the logits of each word."""
        state, found = start, []
        for word in words.unbind(1):
            logits, weights, state = model.step(word, state, memory)
            hidden = state if torch.is_tensor(state) else state[0]
            found.append({"s": hidden, "α": weights, "p": logits})
        return found

    with torch.no_grad():
        as_it_is = run(memory, words)
        for change in (Node("h"), *(Node("y", i) for i in range(WORDS))):
            if change.kind == "h":
                moved = run(memory._replace(values=memory.values.flip(1)), words)
            else:
                other = words.clone()
                other[0, change.word] += 1
                moved = run(memory, other)
            for i in range(WORDS):
                for kind in ("s", "p"):
                    depends = change in sources(graph, Node(kind, i + 1))
                    assert depends == (not torch.equal(as_it_is[i][kind], moved[i][kind])), (change, kind, i)
                if change.kind == "y":  # the weights know the words that their query has read
                    depends = change in sources(graph, Node("α", i + 1))
                    assert depends == (not torch.equal(as_it_is[i]["α"], moved[i]["α"])), (change, i)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_names_what_is_computed_and_ends_with_what_comes_next(name, mode):
    wiring = WIRINGS[name]
    said = list(wiring.said(WORDS, mode))
    for now, (ids, sentence) in zip(wiring.steps(WORDS, mode), said, strict=True):
        assert ids == [node.id for node in now]
        assert all(wiring.label(node) in sentence for node in now)
    assert said[-1][1].endswith("Everything is computed.")
    assert ("waits for" in " ".join(sentence for _, sentence in said)) == (name != "luong" or mode == TRANSLATING)


PAGE = """# A page

See {numref}`fig-two`.

```{wiring} %s
:name: fig-two
Two *decoders*.
```
"""


def built(folder: Path, names: str, builder: str = "html") -> tuple[BeautifulSoup, str]:
    source, warnings = folder / "source", io.StringIO()
    source.mkdir()
    (source / "index.md").write_text(PAGE % names)
    options = {"extensions": ["myst_parser", "course.wiring_figure"], "numfig": True}
    with docutils_namespace():
        app = Sphinx(source, None, folder / "out", folder / "trees", builder, options, status=None, warning=warnings)
        app.build()
    return BeautifulSoup((folder / "out" / "index.html").read_text(), "lxml"), warnings.getvalue()


def test_the_figure_has_every_box_and_arrow_of_the_drawing_and_the_steps(tmp_path):
    page, warnings = built(tmp_path, "bahdanau luong")
    assert warnings == ""
    figure = page.find("figure", id="fig-two")
    assert figure.find("figcaption").get_text().strip().startswith("Fig. 1 Two decoders.")
    steps = json.loads(figure.find("script").string)
    assert sorted(steps) == NAMES
    for panel in figure.find_all(class_="wiring-panel"):
        wiring = WIRINGS[panel["data-wiring"]]
        graph = wiring.graph(WORDS)
        boxes = {box["data-id"] for box in panel.find_all(attrs={"data-id": True})}
        assert boxes == {"s0", "y0", "y1", "y2"} | {f"{kind}{i}" for kind in KINDS for i in range(1, WORDS + 1)}
        arrows = [
            (arrow["data-from"], arrow["data-to"])
            for arrow in panel.find_all("path", attrs={"data-to": True})
            if not {"fed", "chosen"} & {*arrow["class"]}
        ]
        assert sorted(arrows) == sorted((source.id, node.id) for node, found in graph.items() for source in found)
        drawing = panel.find("svg")
        assert drawing["role"] == "img"
        assert wiring.title in drawing["aria-label"]
        tips = {tip["id"] for tip in page.find_all("marker")}
        assert {arrow["marker-end"][5:-1] for arrow in panel.find_all("path")} <= tips
    assert len(figure.select('[data-wiring="luong"] .fed')) == WORDS - 1
    assert [tag["src"].partition("?")[0] for tag in page.find_all("script", src=True) if "wiring" in tag["src"]] == [
        "_static/wiring.js"
    ]


def test_in_the_pdf_it_is_a_drawing_alone(tmp_path):
    page, _ = built(tmp_path, "bahdanau", "singlehtml")
    assert page.find("svg", role="img")
    assert not page.find("script", src=lambda src: src and "wiring" in src)


def test_an_unknown_decoder_is_named(tmp_path):
    _, warnings = built(tmp_path, "bahdanau cho")
    assert "wiring: got ['cho'], expected names of ['bahdanau', 'luong', 'feeding']" in warnings
