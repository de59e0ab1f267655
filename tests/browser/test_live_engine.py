"""The engine of live translations in a real browser, from a file on disk, beside the library it must equal."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
import torch
from playwright.sync_api import Browser, Page
from visits import one_in_three, write_live

from seq2seq.beam.penalty import gnmt_penalty, mean_penalty, no_penalty
from seq2seq.beam.search import beam_search
from seq2seq.corpora.grammar import corpus
from seq2seq.experiments.live_models import LIVE, script_file
from seq2seq.experiments.recipe import load_trained
from seq2seq.live.packing import read_script, unpack
from seq2seq.model import Seq2Seq
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS
from seq2seq.widgets.playback import tokenise

NAMES = pytest.mark.parametrize("name", LIVE)
PENALTIES = {"gnmt(0.8)": gnmt_penalty(0.8), "none": no_penalty, "mean": mean_penalty}


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(write_live(tmp_path_factory.mktemp("live"), *LIVE).as_uri())
    page.wait_for_function("() => globalThis.liveTranslation")
    yield page
    page.close()


@pytest.fixture(scope="module")
def run(page: Page) -> Callable[..., Any]:
    """``run(name, code, given)``: JavaScript with ``model`` and ``given``, and the engine's functions by name."""

    def evaluate(name: str, code: str, given: Any = None) -> Any:
        names = "tokenise, greedy, follow, beamSearch, penalties, departures, nearWords, loadModel"
        script = f"""async ([name, given]) => {{
            const {{ {names} }} = liveTranslation;
            const model = await loadModel(name);
            const read = (words) => model.read(model.encodeWords(words));
            {code}
        }}"""
        return page.evaluate(script, [name, given])

    return evaluate


@cache
def library(name: str, packed: bool) -> tuple[Seq2Seq, Any, Any]:
    """The model as it was trained, or with the numbers that the page computes with."""
    model, source_vocab, target_vocab = load_trained(name)
    if packed:
        model.load_state_dict(unpack(read_script(script_file(name).read_text(encoding="utf-8"))))
    return model, source_vocab, target_vocab


def few_or(count: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("count", [6, pytest.param(count, marks=pytest.mark.long("every sentence"))])


@cache
def sentences(count: int) -> list[list[str]]:
    return [list(pair.source) for pair in corpus(500, 2020, (4, 30))[:count]]


def batch_of_one(name: str, words: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor([library(name, False)[1].encode(words)]), torch.tensor([len(words)])


@NAMES
@few_or(500)
def test_greedy_search_says_the_words_of_the_trained_model(run: Callable[..., Any], name: str, count: int):
    code = "return given.map((words) => greedy(model, read(words)).map((step) => step.wordId));"
    translations = run(name, code, sentences(count))
    for words, ids in zip(sentences(count), translations, strict=True):
        expected, _ = greedy(library(name, False)[0], *batch_of_one(name, words), max_length=2 * len(words) + 10)
        assert ids == expected[0].tolist(), words


@NAMES
@few_or(60)
def test_logits_and_weights_are_those_of_the_library(run: Callable[..., Any], name: str, count: int):
    code = """return given.map(([words, ids]) => {
        const steps = follow(model, read(words), ids);
        const weights = model.hasAttention ? steps.map((step) => [...step.weights]) : [];
        return JSON.stringify([steps.map((step) => [...step.logits]), weights]);
    });"""
    model = library(name, True)[0]
    cases, expected = [], []
    for words in sentences(count):
        source, lengths = batch_of_one(name, words)
        ids = greedy(model, source, lengths, max_length=2 * len(words) + 10)[0]
        with torch.no_grad():
            expected.append(model(source, lengths, torch.cat([torch.tensor([[BOS]]), ids[:, :-1]], dim=1)))
        cases.append([words, ids[0].tolist()])
    for text, (logits, weights) in zip(run(name, code, cases), expected, strict=True):
        for numbers, tensor in zip(json.loads(text), (logits, weights), strict=True):
            if tensor is not None:
                torch.testing.assert_close(torch.tensor(numbers), tensor[0], atol=1e-3, rtol=0)


@NAMES
@one_in_three(PENALTIES, "penalty", "every sentence")
@few_or(100)
def test_beam_search_finds_the_library_s_hypotheses(run: Callable[..., Any], name: str, penalty: str, count: int):
    code = f"""
        const how = {{ size: 5, count: 3, penalty: penalties.{penalty} }};
        return given.map((words) => beamSearch(model, read(words), how));"""
    for words, hypotheses in zip(sentences(count), run(name, code, sentences(count)), strict=True):
        source, lengths = batch_of_one(name, words)
        expected = beam_search(library(name, True)[0], source, lengths, 2 * len(words) + 10, 5, 3, PENALTIES[penalty])
        ids = [row[:length].tolist() for row, length in zip(expected.ids[0], expected.lengths[0], strict=True)]
        assert [hypothesis["ids"] for hypothesis in hypotheses] == ids, words
        assert [hypothesis["score"] for hypothesis in hypotheses] == pytest.approx(
            expected.scores[0].tolist(), abs=1e-3
        )


CHANGES = {  # what is changed by hand → what the engine is asked, and what it answers
    "a pinned weight makes the context that encoder state": (
        """const plain = greedy(model, source);
        const steps = greedy(model, source, { pinned: { 2: Float32Array.of(0, 0, 0, 0, 1) } });
        return [[...steps[2].weights], steps[2].context.every((number, place) => number === source.states[4][place]),
            steps[1].weights.every((weight, j) => weight === plain[1].weights[j])];""",
        [[0, 0, 0, 0, 1], True, True],
    ),
    "a forbidden word is not said and the next one is": (
        """const plain = greedy(model, source);
        const second = [...plain[1].logits.entries()].sort((a, b) => b[1] - a[1])[1][0];
        const forbidden = { 1: [plain[1].wordId] };
        const hypotheses = beamSearch(model, source, { size: 5, count: 5, hand: { forbidden } });
        const wordId = greedy(model, source, { forbidden })[1].wordId;
        return [wordId === second, hypotheses.some(({ ids }) => ids[1] === plain[1].wordId)];""",
        [True, False],
    ),
    "a forced word is said and read": (
        """const steps = greedy(model, source, { forced: { 0: model.target.indexOf("la") } });
        return [model.target[steps[0].wordId], model.target[steps[1].previous], steps.at(-1).wordId];""",
        ["la", "la", EOS],
    ),
}


@pytest.mark.parametrize(
    ("name", "change"),
    [(name, change) for change in CHANGES for name in LIVE if name != "every_step" or "weight" not in change],
)
def test_what_a_reader_changes_by_hand(run: Callable[..., Any], name: str, change: str):
    code, expected = CHANGES[change]
    assert run(name, f"const source = read(given);\n{code}", ["the", "old", "cat", "sleeps", "."]) == expected


TEXTS = ["Anna's letter, the old one", "Anna’s  CAT sleeps!", "a well-known café; 3?", "", " . ", "l'été's", "x_y-z 's"]
DEPARTURES = [("a b c", "a b c", []), ("a x c", "a b c", [1]), ("a b b c", "a b c", [2]), ("x", "", [0]), ("", "a", [])]
ANSWERS = {  # code → what it is given, and what it answers
    "given.map(tokenise)": (TEXTS, [tokenise(text) for text in TEXTS]),
    "given.map((pair) => [...departures(...pair)])": (
        [[words.split(), others.split()] for words, others, _ in DEPARTURES],
        [places for *_, places in DEPARTURES],
    ),
    'given.map((word) => nearWords(word, ["the", "no", "good", "theatres", "theatre", "garden"]))': (
        ["teh", "gardin", "theater", "on", "food", "zzz", "?"],
        [["the"], ["garden"], ["theatre"], [], [], [], []],
    ),
    "(() => { try { model.read(given); } catch (error) { return error.message; } })()": (
        [],
        "ids: got none, expected a sentence of at least one word.",
    ),
}


@pytest.mark.parametrize("code", ANSWERS)
def test_words_are_cut_compared_and_offered_and_none_is_refused(run: Callable[..., Any], code: str):
    given, expected = ANSWERS[code]
    assert run("bahdanau", f"return {code};", given) == expected
