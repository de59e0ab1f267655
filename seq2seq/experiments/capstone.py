"""The small English–French model that learners load into the system they have assembled.

python -m seq2seq.experiments.capstone            # trains and writes the checkpoint; a few minutes on one core
python -m seq2seq.experiments.capstone --quick    # a smoke test of a few seconds, into a temporary folder
"""

import json

import torch
from torch import Tensor

from seq2seq import checkpoints
from seq2seq.batch import token_batches
from seq2seq.corpora import grammar
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.demos.capstone import ATTENTION_SIZE, EMBEDDING_SIZE, HALF, NAME, SIZE
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import parse, parser
from seq2seq.experiments.evaluation import translate
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.training import train
from seq2seq.vocab import SPECIALS, Vocabulary

COMMAND = "python -m seq2seq.experiments.capstone"
SEED = 0
SETTINGS: dict = {
    "lengths": (4, 10),
    "words": 400,  # the most frequent English words; sentences with other words are left out
    "drawn": 80_000,
    "test_pairs": 200,
    "steps": 4000,
    "tokens_per_batch": 800,
    "learning_rate": 8e-3,
}


def data(settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Short sentences of frequent words: training pairs and test pairs."""
    drawn = grammar.corpus(settings["drawn"], SEED, settings["lengths"])
    frequent = set(Vocabulary.build(pair.source for pair in drawn).tokens[: len(SPECIALS) + settings["words"]])
    kept = [pair for pair in drawn if frequent.issuperset(pair.source)]
    return kept[settings["test_pairs"] :], kept[: settings["test_pairs"]]


def build(source_words: int, target_words: int) -> Seq2Seq:
    encoder = Encoder(source_words, EMBEDDING_SIZE, HALF)
    scorer = AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
    return Seq2Seq(encoder, BahdanauDecoder(target_words, EMBEDDING_SIZE, SIZE, 2 * HALF, scorer))


def in_parts(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights under the names of the parts: encoder, scorer, decoder (see :mod:`seq2seq.exercises.capstone`)."""
    names = {"decoder.attention.scorer.": "scorer.", "decoder.bridge.hidden_layer.": "decoder.bridge."}
    parts = {}
    for name, value in state.items():
        for old, new in names.items():
            name = name.replace(old, new)
        parts[name] = value
    return parts


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser(COMMAND, __doc__.splitlines()[0]), arguments)
    settings = SETTINGS
    if options.quick:
        settings = settings | {"drawn": 500, "test_pairs": 5, "steps": 3}
        checkpoints.DIRECTORY = options.out
    torch.set_num_threads(1)
    training, test = data(settings)
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    print(f"{len(training)} pairs to train on, {len(source_vocab)} English and {len(target_vocab)} French words")
    torch.manual_seed(SEED)
    model = build(len(source_vocab), len(target_vocab))
    batches = token_batches(
        training, source_vocab, target_vocab, settings["tokens_per_batch"], torch.Generator().manual_seed(SEED)
    )
    history = train(
        model, batches, steps=settings["steps"], learning_rate=settings["learning_rate"], device="cpu", description=NAME
    )
    path = checkpoints.save(NAME, in_parts(model.state_dict()))
    lines = [(" ".join(pair.source), " ".join(pair.target)) for pair in test]
    words = {"source": source_vocab.tokens[len(SPECIALS) :], "target": target_vocab.tokens[len(SPECIALS) :]}
    path.with_suffix(".json").write_text(json.dumps(words | {"test": lines}, ensure_ascii=False, indent=0) + "\n")
    match = exact_match(translate(model, test, source_vocab, target_vocab), [pair.target for pair in test])
    print(
        f"{path.name}: {path.stat().st_size:,} bytes, {history.cpu_seconds:.0f} CPU seconds, exact match on "
        f"{len(test)} sentences {match:.3f}"
    )


if __name__ == "__main__":
    main()
