"""Small models that learners load, trained on sentences of frequent words.

    python -m seq2seq.experiments capstone        # the model for the system that learners have assembled; minutes
    python -m seq2seq.experiments fixed_vector    # the decoder from which learners decode, saved without its encoder

Both write a checkpoint with its words; a smoke test writes them into a temporary folder.
"""

import argparse
import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import collate
from seq2seq.corpora import grammar
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.demos import capstone, fixed_vector
from seq2seq.encoders import Encoder
from seq2seq.exercises.encoder_decoder import greedy_ids
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.experiment import Measurement
from seq2seq.experiments.recipe import Build
from seq2seq.experiments.trained import Data, train_on, with_vocabularies
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.vocab import SPECIALS, Vocabulary

SEED = 0
CAPSTONE_SETTINGS: dict = {
    "lengths": (4, 10),
    "words": 400,  # the most frequent English words; sentences with other words are left out
    "drawn": 80_000,
    "test_pairs": 200,
    "steps": 4000,
    "tokens_per_batch": 800,
    "learning_rate": 8e-3,
}
FIXED_VECTOR_SETTINGS: dict = {
    "lengths": (4, 14),
    "words": 300,
    "drawn": 60_000,
    "kept_of_each_length": 4,
    "steps": 4000,
    "tokens_per_batch": 800,
    "learning_rate": 8e-3,
}


def frequent(settings: dict) -> list[Pair]:
    """Sentences of frequent words."""
    drawn = grammar.corpus(settings["drawn"], SEED, settings["lengths"])
    words = set(Vocabulary.build(pair.source for pair in drawn).tokens[: len(SPECIALS) + settings["words"]])
    return [pair for pair in drawn if words.issuperset(pair.source)]


def trained(
    build: Build, training: list[Pair], test: list[Pair], settings: dict, name: str
) -> tuple[Seq2Seq, Data, float]:
    """The model, its data, and the CPU seconds of its training."""
    data = with_vocabularies(training, {"test": test})
    english, french = map(len, data.vocabularies)
    print(f"{len(training)} pairs to train on, {english} English and {french} French words")
    model, entries = train_on(data, build, SEED, settings, description=name)
    return model, data, entries["cpu_seconds"]


def capstone_model(source_words: int, target_words: int) -> Seq2Seq:
    size, state_size = capstone.SIZE, 2 * capstone.HALF
    encoder = Encoder(source_words, capstone.EMBEDDING_SIZE, capstone.HALF)
    scorer = AdditiveScorer(size, state_size, capstone.ATTENTION_SIZE)
    return Seq2Seq(encoder, BahdanauDecoder(target_words, capstone.EMBEDDING_SIZE, size, state_size, scorer))


def in_parts(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights under the names of the parts: encoder, scorer, decoder (see :mod:`seq2seq.exercises.capstone`)."""
    names = {"decoder.attention.scorer.": "scorer.", "decoder.bridge.hidden_layer.": "decoder.bridge."}
    parts = {}
    for name, value in state.items():
        for old, new in names.items():
            name = name.replace(old, new)
        parts[name] = value
    return parts


def save_capstone(settings: dict, options: argparse.Namespace) -> None:
    checkpoints.DIRECTORY = options.out
    pairs = frequent(settings)
    training, test = pairs[settings["test_pairs"] :], pairs[: settings["test_pairs"]]
    model, data, seconds = trained(capstone_model, training, test, settings, capstone.NAME)
    path = checkpoints.save(capstone.NAME, in_parts(model.state_dict()))
    lines = [(" ".join(pair.source), " ".join(pair.target)) for pair in test]
    words = {"source": data.source_vocab.tokens[len(SPECIALS) :], "target": data.target_vocab.tokens[len(SPECIALS) :]}
    text = json.dumps(words | {"test": lines}, ensure_ascii=False, indent=0) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    match = exact_match(translate(model, test, *data.vocabularies), [pair.target for pair in test])
    print(
        f"{path.name}: {path.stat().st_size:,} bytes, {seconds:.0f} CPU seconds, exact match on "
        f"{len(test)} sentences {match:.3f}"
    )


CAPSTONE = Measurement(
    name="capstone",
    title="The small English–French model that learners load into the system they have assembled.",
    settings=CAPSTONE_SETTINGS,
    quick={"drawn": 500, "test_pairs": 5, "steps": 3},
    folder=checkpoints.DIRECTORY,
    measure=save_capstone,
)


def apart(pairs: list[Pair], settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Training pairs, and a few others of each length, from short to long."""
    shortest, longest = settings["lengths"]
    held_out = []
    for length in range(shortest, longest + 1):
        held_out += [pair for pair in pairs if len(pair.source) == length][: settings["kept_of_each_length"]]
    chosen = set(map(id, held_out))
    return [pair for pair in pairs if id(pair) not in chosen], held_out


def fixed_vector_model(source_words: int, target_words: int) -> Seq2Seq:
    encoder = Encoder(source_words, fixed_vector.EMBEDDING_SIZE, fixed_vector.SIZE)
    sizes = target_words, fixed_vector.EMBEDDING_SIZE, fixed_vector.SIZE, encoder.state_size
    return Seq2Seq(encoder, InitialStateDecoder(*sizes))


def plain_state(decoder: InitialStateDecoder) -> dict[str, Tensor]:
    """The weights under the names of :class:`~seq2seq.exercises.plain_decoder.PlainDecoder`, without the bridge."""
    return {
        name.replace("rnn.", "cell.").removesuffix("_l0"): value
        for name, value in decoder.state_dict().items()
        if not name.startswith("bridge.")
    }


def save_fixed_vector(settings: dict, options: argparse.Namespace) -> None:
    """Writes the decoder, and prints the output of the one that is loaded from the checkpoint."""
    checkpoints.DIRECTORY = options.out
    training, held_out = apart(frequent(settings), settings)
    model, data, _ = trained(fixed_vector_model, training, held_out, settings, fixed_vector.NAME)
    batch = collate(held_out, *data.vocabularies)
    assert isinstance(model.decoder, InitialStateDecoder)
    with torch.no_grad():
        _, states = model.read(batch.source, batch.source_lengths)
    path = checkpoints.save(fixed_vector.NAME, {**plain_state(model.decoder), "states": states.squeeze(0)})
    words = {
        "tokens": data.target_vocab.tokens,
        "sources": [pair.source for pair in held_out],
        "targets": [pair.target for pair in held_out],
    }
    path.with_suffix(".json").write_text(json.dumps(words, ensure_ascii=False) + "\n", encoding="utf-8")
    decoder, _, sources, targets, states = fixed_vector.trained()
    with torch.no_grad():
        for source, target, ids in zip(sources, targets, greedy_ids(decoder, states, 30), strict=True):
            written = data.target_vocab.decode(ids)
            print("right" if written == target else "wrong", "|", " ".join(source), "|", " ".join(written))


FIXED_VECTOR = Measurement(
    name="fixed_vector",
    title="The small fixed-vector decoder from which learners decode: trained with its encoder, saved without it.",
    settings=FIXED_VECTOR_SETTINGS,
    quick={"drawn": 800, "kept_of_each_length": 1, "steps": 3},
    folder=checkpoints.DIRECTORY,
    measure=save_fixed_vector,
)
