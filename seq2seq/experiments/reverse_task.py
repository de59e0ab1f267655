"""The reverse task of JoeyNMT, and what input feeding does in it where a symbol does not reveal its position.

    python -m seq2seq.experiments reverse_task    # 2 models × 3 seeds, about a minute on one core each
    python -m seq2seq.experiments feeding         # 3 alphabets × 2 models × 3 seeds, under a minute each

The symbols are integers from 0 to 50, up to 25 of them in training and up to 30 in the test.
JoeyNMT's tutorial trains a bidirectional LSTM of size 64 with an embedding size of 16, general scores and input
feeding, on 50,000 sequences, and reports a test BLEU of 95.19 (Kreutzer et al., 2019; docs, "Tutorial").
The same sizes are used here, with input feeding and without.

In ``feeding``, with fewer steps, only the number of symbols changes.
With 51 symbols the word just written nearly identifies its position; with 2 it says nothing about it, and a decoder
without input feeding has to count.
The record of a run has the shares of source words whose weights in its own translations sum to too little
(``missed``) and to too much (``repeated``): the coverage of Luong et al. (2015, section 3.3).
"""

import argparse
from functools import partial
from itertools import product

import torch
from torch import Tensor

from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.evaluation import translate
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import CPU_SECONDS, each, mean, of_runs, spread
from seq2seq.experiments.trained import CPU, Data, train_on
from seq2seq.metrics import bleu, exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.search import greedy
from seq2seq.vocab import EOS, PAD, Vocabulary

PUBLISHED_BLEU = 95.19
EMBEDDING_SIZE, SIZE = 16, 64  # SIZE: each direction of the encoder, and the decoder
DECODERS: dict[str, type[LuongDecoder] | type[InputFeedingDecoder]] = {
    "feeding": InputFeedingDecoder,
    "no_feeding": LuongDecoder,
}
SETTINGS: dict = {
    "symbols": 51,
    "training_pairs": 50_000,
    "training_lengths": [1, 25],
    "test_pairs": 1000,
    "test_lengths": [1, 30],
    "steps": 3000,
    "tokens_per_batch": 600,
    "learning_rate": 5e-3,
    "threads": 1,
}


def data(settings: dict, options: argparse.Namespace | None = None) -> Data:
    symbols = settings["symbols"]
    training = reverse(settings["training_pairs"], 1, tuple(settings["training_lengths"]), symbols)
    test = reverse(settings["test_pairs"], 2, tuple(settings["test_lengths"]), symbols)
    vocab = Vocabulary([str(symbol) for symbol in range(symbols)])
    return Data(training, {"test": test}, vocab, vocab)


def build(name: str, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE, cell="lstm")
    sizes = target_vocab_size, EMBEDDING_SIZE, SIZE, encoder.state_size
    return Seq2Seq(encoder, DECODERS[name](*sizes, BilinearScorer(SIZE, encoder.state_size), cell="lstm"))


def run(name: str, seed: int, settings: dict, data: Data, device: torch.device = CPU) -> tuple[Seq2Seq, dict]:
    """Train and test one model from one seed."""
    model, entries = train_on(data, partial(build, name), seed, settings, description=name, device=device)
    test = data.sets["test"]
    hypotheses, references = translate(model, test, *data.vocabularies), [pair.target for pair in test]
    return model, entries | {
        "bleu": round(bleu(hypotheses, references), 2),
        "exact_match": round(exact_match(hypotheses, references), 4),
    }


RECORD = "seed parameters steps target_tokens cpu_seconds bleu exact_match"
QUICK = {"training_pairs": 200, "test_pairs": 5, "steps": 3}
REVERSE_TASK = Runs(
    name="reverse_task",
    title="The reverse task of JoeyNMT: integers from 0 to 50, up to 25 in training and up to 30 in the test.",
    settings=SETTINGS,
    quick=QUICK,
    seeds=3,
    models=DECODERS,
    data=data,
    run=run,
    record=RECORD,
    head=lambda settings, data: {"torch": torch.__version__, "published_bleu": PUBLISHED_BLEU},
    table=of_runs(
        {
            "BLEU, each seed": each(".2f", "bleu"),
            "exact match": mean(".3f", "exact_match"),
            "published BLEU": lambda runs: str(PUBLISHED_BLEU),
            **CPU_SECONDS,
        }
    ),
)

SYMBOLS = (2, 5, 51)


def looks(weights: Tensor, ids: Tensor) -> Tensor:
    """The sum of each source word's weights over all steps before EOS.

    Shape:
        weights: (batch, steps, source_len)
        ids: (batch, steps), the output
        looks: (batch, source_len)
    """
    return (weights * ((ids != PAD) & (ids != EOS)).unsqueeze(-1)).sum(dim=1)


MISSED, REPEATED = 0.5, 1.5  # below the one, above the other


def coverage(model: Seq2Seq, data: Data) -> dict[str, float]:
    """The shares of source words that were missed and repeated."""
    batch = collate(data.sets["test"], *data.vocabularies)
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=40)
    assert weights is not None
    real = looks(weights, ids)[batch.source_mask]
    return {
        "missed": round((real < MISSED).float().mean().item(), 4),
        "repeated": round((real > REPEATED).float().mean().item(), 4),
    }


def run_and_cover(symbols: str, name: str, seed: int, settings: dict, shared: None) -> tuple[Seq2Seq, dict]:
    of_symbols = data(settings)
    model, entries = run(name, seed, settings, of_symbols)
    return model, entries | coverage(model, of_symbols)


MEASURES = {"bleu": 1, "exact_match": 3, "missed": 3, "repeated": 3}  # with their digits
FEEDING = Runs(
    name="feeding",
    title="Does input feeding help most where a symbol does not reveal its position? Few symbols and many.",
    settings=SETTINGS | {"steps": 2000, "training_pairs": 30_000, "test_pairs": 500},
    quick=QUICK,
    seeds=3,
    models=list(product(map(str, SYMBOLS), DECODERS)),
    settings_of=lambda cell, settings: settings | {"symbols": int(cell[0])},
    run=run_and_cover,
    record=f"{RECORD} missed repeated settings",
    by=("symbols", "model"),
    head=lambda settings, data: {"torch": torch.__version__},
    under="symbols",
    table=of_runs(
        {entry: spread(digits, entry) for entry, digits in MEASURES.items()} | CPU_SECONDS,
        ("symbols", "model"),
        "symbols",
    ),
)
