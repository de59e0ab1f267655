"""The models that the pages run: current, small, and saying what the library's models say."""

import pytest

from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.live_models import LIVE, LIVE_MODELS, packed, script_file
from seq2seq.experiments.recipe import load_trained
from seq2seq.live.examples import EXAMPLES, GROWING
from seq2seq.live.packing import read_script, unpack
from seq2seq.vocab import UNK

SENTENCES = corpus(500, 2020, (4, 30))
SMALL = 1_000_000  # bytes of a file
COUNTS = range(1, len(GROWING) + 1)
CHAIN = [tuple(" ".join(part) + " ." for part in zip(*GROWING[:count], strict=True)) for count in COUNTS]


@pytest.mark.parametrize("count", [30, pytest.param(500, marks=pytest.mark.long("every sentence"))])
@pytest.mark.parametrize("name", LIVE)
def test_the_committed_file_is_what_the_command_writes_small_and_rounds_no_word_away(name: str, count: int):
    weights = packed(name)
    assert read_script(script_file(name).read_text(encoding="utf-8")) == weights, f"run `{LIVE_MODELS.command}`"
    assert script_file(name).stat().st_size <= SMALL
    model, *vocabularies = load_trained(name)
    before = translate(model, SENTENCES[:count], *vocabularies)
    model.load_state_dict(unpack(weights))
    assert translate(model, SENTENCES[:count], *vocabularies) == before


def test_no_other_file_lies_there_and_another_name_is_refused():
    assert {path.stem for path in script_file("bahdanau").parent.iterdir()} == set(LIVE)
    with pytest.raises(ValueError, match=r"name: got 'lstm', expected one of \['every_step'"):
        packed("lstm")


def translated(name: str, sentences: list[tuple[str, str]]) -> list[bool]:
    """Of each sentence whether the model says its reference."""
    model, source_vocab, target_vocab = load_trained(name)
    pairs = [Pair(tuple(source.split()), tuple(target.split()), frozenset()) for source, target in sentences]
    assert [pair for pair in pairs if UNK in source_vocab.encode(pair.source)] == []
    return [translate(model, [pair], source_vocab, target_vocab) == [list(pair.target)] for pair in pairs]


def test_models_with_attention_translate_the_examples_and_the_fixed_vector_loses_the_growing_sentence():
    for name, lost in (("bahdanau", set()), ("luong_bilinear", {"i am a student ."})):
        sentences = [*EXAMPLES, *CHAIN]
        are_right = translated(name, sentences)
        assert {source for (source, _), is_right in zip(sentences, are_right, strict=True) if not is_right} == lost
    assert translated("every_step", CHAIN) == [True] + [False] * (len(CHAIN) - 1)
