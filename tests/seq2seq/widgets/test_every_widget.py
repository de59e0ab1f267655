"""Every widget: its script and its style, a text where it cannot be shown, little data, and what it refuses."""

import importlib
import json
import pkgutil

import pytest
import torch

from seq2seq import widgets
from seq2seq.attention import masked_softmax
from seq2seq.beam.penalty import mean_penalty, no_penalty
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.recipe import RESULTS
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer
from seq2seq.widgets import widget
from seq2seq.widgets.beam import Beam, Sentence, divisors, rows
from seq2seq.widgets.bottleneck import Bottleneck, curve, unmatched
from seq2seq.widgets.estimate import Estimate
from seq2seq.widgets.forming import Forming
from seq2seq.widgets.look_up import STEP, LookUp, directions, queries, tabulate
from seq2seq.widgets.masking import Masking
from seq2seq.widgets.matrix import Matrix
from seq2seq.widgets.playback import Playback, Step
from seq2seq.widgets.player import Player
from seq2seq.widgets.sampling import FINE, TEMPERATURES, Sampling, luck, tempered
from seq2seq.widgets.saturation import Saturation, saturation, slope
from seq2seq.widgets.widget import Widget
from seq2seq.widgets.window import Window

for module in pkgutil.iter_modules(widgets.__path__, "seq2seq.widgets."):
    importlib.import_module(module.name)

LENGTHS = (0.0, 1.0, 2.5)


def pair(words):
    return Pair(tuple(f"s{word}" for word in range(words)), tuple(f"t{word}" for word in range(words)), frozenset())


def generator():
    return torch.Generator().manual_seed(3)


def two_words(trees):
    return Beam([Sentence(["a", "b"], ["c"], trees)], TOKENS, {"none": no_penalty, "mean": mean_penalty})


def bottleneck(pairs, translations, runs="one"):
    return Bottleneck(pairs, {"one": translations}, {runs: RUNS}, [[2, 3], [4, 5]], longest=4)


def forming(turned=False, steps=None):
    report = json.loads((RESULTS / "forming.json").read_text())
    return Forming(report["sentences"][:: -1 if turned else 1], report["after"][:steps])


def look_up(**changed):
    given = {"keys": torch.zeros(3, 2), "values": torch.zeros(3, 2), "scorers": {"dot": DotScorer()}} | changed
    return LookUp(["a", "b", "c"], *given.values())


def matrix(**changed):
    given = {"keys": torch.randn(3, 2), "query": torch.randn(2), "scorer": BilinearScorer(2, 2)} | changed
    return Matrix(["a", "b", "c"], **given)


def player():
    step = Step("<bos>", (0.5, 0.5), (0.0,), (("le", 1.0),))
    return Player({"one": [Playback(("the", "cat"), (step,))]})


def sampling(values):
    return Sampling(SCORES, values, torch.Generator())


def predicted(**changed):
    return Window.predicted([SENTENCE | changed], 0.5, 2)


TOKENS = [f"w{number}" for number in range(12)]
NODES = [(1, 0.0, None, 0, False), (5, -0.5, 0, 1, False), (6, -1.0, 0, 1, False), (2, -1.5, 1, 2, True)]
RUNS = [
    {"bleu": {"2-3": 40.0, "4-5": 10.0}, "exact_match": {"2-3": 0.5, "4-5": 0.0}},
    {"bleu": {"2-3": 50.0, "4-5": 20.0}, "exact_match": {"2-3": 0.25, "4-5": 0.001}},
]
SCORES = torch.tensor([0.3, -1.0, 1.2])
SENTENCE = {"source": ["a", "b"], "target": ["u"], "right": [[1]], "centres": [0.4], "scores": [[1.0, 2.0]]}


# What each widget is made of, the end of the text that stands in for it, and the most characters of its data.
EXAMPLES = {
    Beam: (lambda: two_words({(1, "none"): NODES, (1, "mean"): NODES}), "a b", 1000),
    Bottleneck: (lambda: bottleneck([pair(2)], [("t0", "t9")]), "s0 s1\none: t0 t9", 1000),
    Estimate: (lambda: Estimate(SCORES, torch.tensor([-1.0, -2.0, -3.0])), "gradient of 3 scores", 1000),
    Forming: (forming, "After 4,200 steps", 60_000),
    LookUp: (look_up, "a, b, c", 10_000),
    Masking: (lambda: Masking(["she", "sings", "<pad>"], [1.0, 0.5, 0.0], [True, True, False]), "she, sings.", 1000),
    Matrix: (matrix, "a, b, c", 1000),
    Player: (player, "looks at", 1000),
    Sampling: (lambda: sampling(torch.zeros(3, 2)), "0.27, 0.07, 0.66", 10_000),
    Saturation: (lambda: Saturation(generator(), sizes=[1, 64], keys=3, draws=20, shown=1), "at size 1", 1000),
    Window: (lambda: Window.made_up(["a", "b"], [1.0, 2.0], 0.5, 2), "half width 2 around position 1.5 of: a b", 1000),
}


def test_every_widget_is_here():
    assert set(EXAMPLES) == {kind for kind in Widget.__subclasses__() if kind.__module__.startswith("seq2seq.widgets.")}


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_a_widget_has_its_script_its_style_a_text_and_little_data(kind):
    make, text, most = EXAMPLES[kind]
    example = make()
    name = kind.__module__.rsplit(".", 1)[1]
    for kind, joined in {"js": example._esm, "css": example._css}.items():
        parts = (*widget.BEFORE[kind], name)
        assert joined == "\n".join((widget.FOLDER / f"{part}.{kind}").read_text() for part in parts)
    bundle, _ = example._repr_mimebundle_()
    assert text in bundle["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    state = {key: value for key, value in example.get_state().items() if not key.startswith("_")}
    assert len(json.dumps(state)) < most + 1000


REFUSED = [
    (lambda: two_words({(2, "none"): NODES}), r"trees: got \[\(2, 'none'\)\] for 'a b'"),
    (
        lambda: two_words({(1, "none"): NODES[::2], (1, "mean"): NODES}),
        "1 and penalty 'none' does not begin the longest",
    ),
    (lambda: bottleneck([pair(2), pair(4)], [(), ()]), r"sources of \[2, 4\] words"),
    (lambda: bottleneck([pair(2)], [()], "other"), r"runs: got models \['other'\]"),
    (lambda: Estimate(SCORES, torch.zeros(2)), "log_likelihoods: got 2, expected one for each of 3"),
    (lambda: forming(steps=0), "after: got no step, expected at least one"),
    (lambda: forming(turned=True), r"weights after 0 steps: got .*, expected \(\d+, \d+\), EOS last"),
    (lambda: look_up(keys=torch.zeros(3, 4)), r"keys: got shape \(3, 4\), expected \(words=3, 2\)"),
    (lambda: Masking(["a", "b"], [1.0], [True, True]), "got 2, 1 and 2 entries"),
    (lambda: matrix(keys=torch.randn(2, 2)), r"keys: got shape \(2, 2\), expected \(3, 2\)"),
    (lambda: matrix(keys=torch.randn(3, 4)), r"keys: got shape \(3, 4\), expected \(3, 2\)"),
    (lambda: matrix(query=torch.randn(3)), r"query: got shape \(3,\), expected \(2,\)"),
    (lambda: matrix(scorer=BilinearScorer(2, 3)), r"scorer: got shape \(2, 3\), expected \(2, 2\)"),
    (lambda: sampling(torch.zeros(3, 3)), r"values: got shape \(3, 3\), expected \(keys=3, 2\)"),
    (lambda: Window.made_up(["a", "b"], [1.0], 0.5, 2), "scores: got 1, expected one for each of the 2 words"),
    (lambda: predicted(target=[]), "target: got 0, expected one for each of the 1 steps"),
    (lambda: predicted(right=[]), "right: got 0, expected one for each of the 1 steps"),
    (lambda: predicted(centres=[]), "centres: got 0, expected one for each of the 1 steps"),
]


def test_what_cannot_be_shown_is_refused():
    for make, message in REFUSED:
        with pytest.raises(ValueError, match=message):
            make()


def test_the_script_is_required_and_the_style_is_not(monkeypatch, tmp_path):
    for name, text in {"frame.js": "shared();", "common.css": ".shared {}", "bars.js": "bars();"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(widget, "FOLDER", tmp_path)
    bars = type("Bars", (Widget,), {}, script="bars")
    assert (bars()._esm, bars()._css) == ("shared();\nbars();", ".shared {}")
    assert bars(label="Bars of a softmax")._repr_mimebundle_()[0]["text/plain"] == "Bars of a softmax"
    with pytest.raises(FileNotFoundError, match="script: got 'lines'"):
        type("Lines", (Widget,), {}, script="lines")


def test_nodes_keep_word_parent_and_step_and_divisors_are_the_penalty_of_every_length():
    table = rows(NODES, TOKENS)
    assert table[1] == ["w5", -0.5, 0, 1, 0]
    assert table[3] == ["w2", -1.5, 1, 2, 1]
    assert [row[2] for row in table] == [None, 0, 0, 1]
    assert divisors(no_penalty, 3) == [1, 1, 1]
    assert divisors(mean_penalty, 3) == [1, 2, 3]
    [sentence] = two_words({(1, "none"): NODES[:3], (1, "mean"): NODES}).data["sentences"]
    assert sentence["trees"]["1"]["counts"] == {"none": 3, "mean": 4}
    assert len(sentence["trees"]["1"]["nodes"]) == 4


def test_the_bottleneck_marks_words_without_a_partner_shows_means_over_seeds_and_stores_no_reference_twice():
    reference = ["la", "chatte", "noire", "dort"]
    marked = {"la chatte noire dort": [], "la chatte blanche dort": [2], "la dort": [], "la chatte noire et dort": [3]}
    assert {words: unmatched(words.split(), reference) for words in marked} == marked
    assert unmatched([], reference) == []
    assert len(unmatched(["la", "la", "chatte"], ["la", "chatte"])) == 1
    assert curve(RUNS, "2-3") == {"bleu": 45.0, "exact": 37.5}
    first, second = bottleneck([pair(2), pair(3)], [("t0", "t1"), ("t0", "t2")]).data["examples"]
    assert first["translations"] == [{"words": None, "wrong": [], "missing": 0}]
    assert second["translations"] == [{"words": "t0 t2", "wrong": [], "missing": 1}]


def test_what_is_handed_over_is_what_was_measured():
    estimated = EXAMPLES[Estimate][0]().data
    assert (estimated["scores"], estimated["logs"]) == ([0.3, -1.0, 1.2], [-1.0, -2.0, -3.0])
    shown = forming()
    assert shown.text().startswith("After 4,200 steps")
    assert json.loads((RESULTS / "forming.json").read_text())["after"][-1]["says"][0] in shown.text()
    for answer in shown.data["after"]:
        for sentence, weights in zip(shown.data["sentences"], answer["weights"], strict=True):
            assert [len(row) for row in weights] == [len(sentence["source"])] * len(sentence["target"])
            assert all(abs(sum(row) - 1000) <= len(row) for row in weights)
    window = predicted()
    assert window.label != Window.made_up(["a"], [1.0], 0.5, 2).label
    assert window.sentences == [{"words" if key == "source" else key: SENTENCE[key] for key in SENTENCE}]


@pytest.fixture
def keys():
    return torch.randn(3, 2)


@pytest.fixture
def scorers():
    bilinear, additive = BilinearScorer(2, 2), AdditiveScorer(2, 2, 4)
    return {"dot": DotScorer(), "scaled": ScaledDotScorer(), "bilinear": bilinear, "additive": additive}


def test_queries_go_once_round_and_have_their_direction_and_length():
    assert directions()[0] == 0
    assert directions()[-1] + STEP == 360
    table = queries(LENGTHS)
    torch.testing.assert_close(table.norm(dim=-1), torch.tensor(LENGTHS).view(-1, 1).expand(-1, len(directions())))
    torch.testing.assert_close(table[1, 90 // STEP], torch.tensor([0.0, 1.0]), atol=1e-6, rtol=0)


def test_tables_hold_the_scorers_own_scores_which_rounded_give_the_context_to_two_digits(keys, scorers):
    table = tabulate(scorers, keys, LENGTHS)
    for name, scorer in scorers.items():
        rows = torch.tensor(table[name]).view(-1, len(keys)) / 1000
        asked = queries(LENGTHS).view(-1, 2)
        exact = scorer(asked, keys.expand(len(asked), -1, -1)).detach()
        torch.testing.assert_close(rows, exact, atol=6e-4, rtol=0)
        assert (rows.softmax(-1) @ keys - exact.softmax(-1) @ keys).abs().max() < 0.005


def test_scorers_keep_their_order_and_the_matrix_is_the_scorers_own(keys, scorers):
    assert LookUp(["a", "b", "c"], keys, keys, scorers).data["scorers"] == list(scorers)
    scorer, query = scorers["bilinear"], torch.randn(2)
    data = matrix(keys=keys, query=query, scorer=scorer).data
    torch.testing.assert_close(torch.tensor(data["matrix"]), scorer.key_layer.weight.detach(), atol=6e-4, rtol=0)
    scores = torch.tensor(data["keys"]) @ torch.tensor(data["matrix"]).T @ torch.tensor(data["query"])
    torch.testing.assert_close(scores, scorer(query.unsqueeze(0), keys.unsqueeze(0))[0].detach(), atol=1e-2, rtol=0)


def test_weights_are_those_of_every_temperature():
    for row, temperature in zip(tempered(SCORES, TEMPERATURES), TEMPERATURES, strict=True):
        expected = masked_softmax(SCORES, torch.ones(3, dtype=torch.bool), temperature)
        torch.testing.assert_close(torch.tensor(row), expected, atol=1e-5, rtol=0)


def test_luck_can_be_had_again_and_stays_below_1():
    first, second = (luck(500, torch.Generator().manual_seed(0)) for _ in range(2))
    assert first == second
    assert min(first) >= 0
    assert max(first) < 1
    assert all(round(number * FINE) == pytest.approx(number * FINE) for number in first)


def test_dot_products_saturate_and_scaled_ones_do_not():
    table = saturation([1, 16, 256], keys=5, draws=50, shown=2, generator=generator())
    query, keys = (torch.randn(50, *shape, 256, generator=g) for g in [generator()] for shape in ((), (5,)))
    scores = (keys[1, :, :16] @ query[1, :16]) / 4
    assert table[1]["scaled dot product"]["weights"][1] == pytest.approx(torch.softmax(scores, -1).tolist(), abs=1e-4)
    plain, scaled = (table[2][name] for name in ("dot product", "scaled dot product"))
    assert plain["largest"] > 0.9 > 0.6 > scaled["largest"]
    assert plain["slope"] < scaled["slope"] / 3
    assert table[0]["dot product"] == table[0]["scaled dot product"]
    assert EXAMPLES[Saturation][0]().data["scorers"] == list(table[0])[-2:]


def test_slope_is_the_norm_of_the_softmax_s_jacobian():
    scores = torch.randn(5)
    jacobian = torch.autograd.functional.jacobian(lambda e: torch.softmax(e, -1), scores)
    torch.testing.assert_close(slope(torch.softmax(scores, -1)), jacobian.norm())
