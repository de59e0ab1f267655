"""The player: compact runs, typed sentences, and ``watch`` with and without a front end."""

import json
import sys

import pytest
import torch

from seq2seq.experiments.playbacks import NAMES, SENTENCES, playbacks
from seq2seq.vocab import BOS, EOS, Vocabulary
from seq2seq.widgets import watch as watching
from seq2seq.widgets.playback import Playback, Step
from seq2seq.widgets.player import LETTERS, LONGEST, Player, compact

WORDS = Vocabulary(["chat", "dort"])


def playback(*words, word="le", unknown=()):
    share = 1 / len(words)
    step = Step("<bos>", (share,) * len(words), (-1.0, 0.0, 1.0), ((word, 0.7), ("la", 0.3)))
    last = Step(word, (share,) * len(words), (0.5, -0.5, 0.26), (("<eos>", 1.0), (word, 0.0)))
    return Playback(tuple(words), (step, last), unknown)


@pytest.fixture
def player():
    return Player(
        {"one": [playback("the", "cat")], "two": [playback("the", "cat", word="la")]},
        lambda name, words: playback(*words, word=name, unknown=tuple(word for word in words if word == "owl")),
    )


def ask(player, text, number=1):
    player._on_message(player, {"number": number, "text": text}, [])
    return player.typed


def unpacked(run):
    """What the script makes of a run."""
    return [
        (
            [weight / 1000 for weight in weights],
            [(run["words"][number], chance / 1000) for number, chance in zip(numbers, chances, strict=True)],
            [(LETTERS.index(letter) - 31) / 31 for letter in context],
        )
        for weights, numbers, chances, context in run["steps"]
    ]


def test_compact_runs_of_the_trained_models_are_their_playbacks_but_for_rounding():
    trained = playbacks()
    assert list(trained) == list(NAMES)
    for runs in trained.values():
        assert [" ".join(shown.source) for shown in runs] == list(SENTENCES)
        assert all(shown.steps[-1].word == "<eos>" for shown in runs)
        for original in runs:
            for step, (weights, candidates, context) in zip(original.steps, unpacked(compact(original)), strict=True):
                assert weights == pytest.approx(step.weights, abs=0.0006)
                words, chances = zip(*candidates, strict=True)
                expected_words, expected_chances = zip(*step.candidates, strict=True)
                assert words == expected_words
                assert chances == pytest.approx(expected_chances, abs=0.0006)
                assert context == pytest.approx(step.context, abs=0.5 / 31 + 1e-6)
    page = Player(trained)
    assert f'const LETTERS = "{LETTERS}"' in page._esm
    assert len(set(LETTERS)) == len(LETTERS) == 63
    assert len(json.dumps(page.runs)) < 60_000
    assert len(json.dumps(page.get_state())) < 100_000
    assert not page.can_type  # without a kernel


def test_models_that_decoded_other_sentences_or_none_are_refused():
    with pytest.raises(ValueError, match="the same sentences"):
        Player({"one": [playback("the", "cat")], "two": [playback("a", "cat")]})
    with pytest.raises(ValueError, match="at least one"):
        Player({})


def test_typed_sentence_is_decoded_by_every_model(player):
    answer = ask(player, "An owl sleeps", number=7)
    assert answer["number"] == 7
    assert [run["source"] for run in answer["runs"]] == [["an", "owl", "sleeps", "."]] * 2
    assert [run["words"][0] for run in answer["runs"]] == ["one", "two"]
    assert answer["runs"][0]["unknown"] == ["owl"]
    assert player._repr_mimebundle_()[0]["text/plain"].count("looks at") == 2


def test_what_cannot_be_translated_is_answered(player):
    for text in ("", "   ", "...", "?!"):
        assert ask(player, text)["problem"].startswith("Type a few English words")
    assert f"at most {LONGEST}" in ask(player, "cat " * (LONGEST + 1))["problem"]

    def fails(name, words):
        raise RuntimeError("out of words")

    problem = ask(Player({"one": [playback("cat")]}, fails), "cat")["problem"]
    assert problem == "It could not be translated. RuntimeError: out of words"


class Says:
    """A translator of two words, which says the first at once and then ends."""

    def read(self, source, source_mask):
        states = torch.zeros(1, source.size(1), 2)
        return (states, states, source_mask), None

    def step(self, previous, state, memory):
        weights = memory[2] / memory[2].sum(1, keepdim=True)
        return torch.eye(6)[4 if previous.item() == BOS else EOS].unsqueeze(0), weights, state


def test_watch_prints_where_nobody_sees_widgets(capsys):
    watching.watch({"mine": Says()}, ["chat", "dort"], WORDS, WORDS)
    title, head, first, second = capsys.readouterr().out.splitlines()
    assert title == "mine"
    assert head.split() == ["reads", "looks", "at", "may", "say"]
    assert first.split()[:2] == ["<bos>", "chat"]
    assert "<eos>" in second


def test_watch_shows_the_player_where_a_front_end_is(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(watching, "_has_front_end", lambda: True)
    monkeypatch.setattr("IPython.display.display", shown.append)
    watching.watch({"mine": Says()}, ["chat", "dort"], WORDS, WORDS)
    assert isinstance(shown[0], Player)
    assert capsys.readouterr().out == ""
    assert ask(shown[0], "dort")["runs"][0]["source"] == ["dort", "."]


def test_watch_decodes_nothing_where_the_library_is_not_at_hand(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "seq2seq.widgets.playback", None)
    watching.watch({"mine": None}, ["chat"], None, None)
    assert capsys.readouterr().out == "The player is not available here.\n"
