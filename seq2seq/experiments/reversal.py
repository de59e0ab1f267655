"""Reading the source backwards (Sutskever et al., 2014, section 3.3): a unidirectional encoder on both orders.

    python -m seq2seq.experiments reversal    # 2 orders × 3 seeds, about 6 minutes on one core

The encoder is unidirectional, the fixed vector sets the decoder's first state, and only the order of the source
differs: same sentences, same initial weights, same batches, same budget.
"""

import argparse

from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.recipe import EMBEDDING_SIZE, HIDDEN_SIZE
from seq2seq.experiments.runs import Runs
from seq2seq.experiments.tables import Column, mean, of_runs
from seq2seq.experiments.trained import Data, train_on, with_vocabularies
from seq2seq.model import Seq2Seq

BUCKETS = [(4, 6), (7, 9), (10, 12)]


def reversed_source(pair: Pair) -> Pair:
    """The same pair with its source reversed and its links adjusted."""
    last = len(pair.source) - 1
    links = frozenset((last - source, target) for source, target in pair.links)
    return Pair(pair.source[::-1], pair.target, links)


ORDERS = {"in_order": lambda pair: pair, "reversed": reversed_source}


def one_way_model(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, bidirectional=False)
    return Seq2Seq(encoder, InitialStateDecoder(target_vocab_size, EMBEDDING_SIZE, HIDDEN_SIZE, HIDDEN_SIZE))


def data(settings: dict, options: argparse.Namespace) -> Data:
    lengths = (BUCKETS[0][0], BUCKETS[-1][1])
    training = corpus(settings["training_pairs"], 2, lengths)
    trained = {pair.source for pair in training}
    sets = {}
    for number, (shortest, longest) in enumerate(BUCKETS):
        drawn = corpus(10 * settings["test_pairs_per_bucket"], 2001 + number, (shortest, longest))
        fresh = list({pair.source: pair for pair in drawn if pair.source not in trained}.values())
        sets[f"{shortest}-{longest}"] = fresh[: settings["test_pairs_per_bucket"]]
    return with_vocabularies(training, sets)


def run(order: str, seed: int, settings: dict, data: Data) -> tuple[Seq2Seq, dict]:
    """Train and evaluate one model on one order of the source, from one seed."""
    turn = ORDERS[order]
    turned = data._replace(training=list(map(turn, data.training)))
    model, entries = train_on(turned, one_way_model, seed, settings, description=order)
    scores = evaluate(model, {name: list(map(turn, pairs)) for name, pairs in data.sets.items()}, *data.vocabularies)
    return model, entries | {metric: scores[metric] for metric in ("bleu", "exact_match", "perplexity")}


def bleu_and_perplexity(length: str) -> Column:
    bleu, perplexity = mean(".1f", "bleu", length), mean(".2f", "perplexity", length)
    return lambda runs: f"{bleu(runs)} ({perplexity(runs)})"


LENGTHS = [f"{shortest}-{longest}" for shortest, longest in BUCKETS]
REVERSAL = Runs(
    name="reversal",
    title=__doc__.splitlines()[0],
    settings={
        "steps": 1800,
        "seeds": 3,
        "training_pairs": 60_000,
        "test_pairs_per_bucket": 200,
        "lengths": [BUCKETS[0][0], BUCKETS[-1][1]],
        "tokens_per_batch": 800,
        "threads": 1,
    },
    quick={"steps": 3, "training_pairs": 500, "test_pairs_per_bucket": 5},
    seeds=3,
    models=ORDERS,
    data=data,
    run=run,
    record="seed cpu_seconds",
    by=("order of the source",),
    head=lambda settings, data: {"test_pairs": {name: len(pairs) for name, pairs in data.sets.items()}},
    under="orders",
    table=of_runs({length: bleu_and_perplexity(length) for length in LENGTHS}, ("order of the source",), "orders"),
)
