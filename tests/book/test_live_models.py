"""The models that the pages run: current, small, and saying what the library's models say."""

import pytest

from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.live_models import COMMAND, LIVE, packed, script_file
from seq2seq.experiments.recipe import load_trained
from seq2seq.live.examples import EXAMPLES, GROWING
from seq2seq.live.packing import read_script, unpack
from seq2seq.vocab import UNK

SENTENCES = corpus(500, 2020, (4, 30))
SMALL = 1_000_000  # bytes of a file
NAMES = pytest.mark.parametrize("name", LIVE)
CHAIN = [
    tuple(" ".join(clauses) + " ." for clauses in zip(*GROWING[:count], strict=True))
    for count in range(1, len(GROWING) + 1)
]


@NAMES
def test_the_committed_file_is_what_the_command_writes(name: str):
    committed = read_script(script_file(name).read_text(encoding="utf-8"))
    assert committed == packed(name), f"run `{COMMAND}`"


@NAMES
def test_the_committed_file_is_small(name: str):
    assert script_file(name).stat().st_size <= SMALL


def test_no_other_file_lies_there():
    folder = script_file("bahdanau").parent
    assert {path.stem for path in folder.iterdir()} == set(LIVE)


@NAMES
def test_rounding_changes_no_word(name: str):
    model, *vocabularies = load_trained(name)
    before = translate(model, SENTENCES, *vocabularies)
    model.load_state_dict(unpack(packed(name)))
    assert translate(model, SENTENCES, *vocabularies) == before


def test_another_name_is_refused():
    with pytest.raises(ValueError, match=r"name: got 'lstm', expected one of \['every_step'"):
        packed("lstm")


@pytest.mark.parametrize("name", ["bahdanau", "luong_bilinear"])
@pytest.mark.parametrize(("source", "target"), [*EXAMPLES, *CHAIN])
def test_models_with_attention_translate_every_example(name: str, source: str, target: str):
    model, source_vocab, target_vocab = load_trained(name)
    pair = Pair(tuple(source.split()), tuple(target.split()), frozenset())
    assert UNK not in source_vocab.encode(pair.source)
    [said] = translate(model, [pair], source_vocab, target_vocab)
    assert said == target.split()


def test_the_fixed_vector_loses_the_growing_sentence():
    model, *vocabularies = load_trained("every_step")
    pairs = [Pair(tuple(source.split()), tuple(target.split()), frozenset()) for source, target in CHAIN]
    said = translate(model, pairs, *vocabularies)
    assert said[0] == list(pairs[0].target)
    assert all(words != list(pair.target) for words, pair in zip(said[1:], pairs[1:], strict=True))
