"""Reading the source backwards (Sutskever et al., 2014, section 3.3): a unidirectional encoder on both orders.

    python -m seq2seq.experiments.reversal            # 2 orders × 3 seeds, about 6 minutes on one core
    python -m seq2seq.experiments.reversal --quick    # a smoke test of a few seconds, results in a temporary folder

The encoder is unidirectional, the fixed vector sets the decoder's first state, and only the order of the source
differs: same sentences, same initial weights, same batches, same budget.
"""

import torch

from seq2seq.batch import token_batches
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import parse, parser_with_show, read, write
from seq2seq.experiments.evaluation import evaluate
from seq2seq.experiments.recipe import EMBEDDING_SIZE, HIDDEN_SIZE
from seq2seq.model import Seq2Seq
from seq2seq.training import train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.reversal"
BUCKETS = [(4, 6), (7, 9), (10, 12)]


def reversed_source(pair: Pair) -> Pair:
    """The same pair with its source reversed and its links adjusted."""
    last = len(pair.source) - 1
    links = frozenset((last - source, target) for source, target in pair.links)
    return Pair(pair.source[::-1], pair.target, links)


ORDERS = {"in_order": lambda pair: pair, "reversed": reversed_source}


def one_way_model(source_vocab: Vocabulary, target_vocab: Vocabulary) -> Seq2Seq:
    encoder = Encoder(len(source_vocab), EMBEDDING_SIZE, HIDDEN_SIZE, bidirectional=False)
    return Seq2Seq(encoder, InitialStateDecoder(len(target_vocab), EMBEDDING_SIZE, HIDDEN_SIZE, HIDDEN_SIZE))


def run(order: str, seed: int, settings: dict, training: list[Pair], sets: dict[str, list[Pair]]) -> dict:
    """Train and evaluate one model on one order of the source, from one seed."""
    turn = ORDERS[order]
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    torch.manual_seed(seed)
    model = one_way_model(source_vocab, target_vocab)
    batches = token_batches(
        [turn(pair) for pair in training],
        source_vocab,
        target_vocab,
        settings["tokens_per_batch"],
        torch.Generator().manual_seed(seed),
    )
    history = train(model, batches, steps=settings["steps"], device="cpu", description=f"{order}, seed {seed}")
    turned = {name: [turn(pair) for pair in pairs] for name, pairs in sets.items()}
    scores = evaluate(model, turned, source_vocab, target_vocab)
    return {
        "seed": seed,
        "cpu_seconds": round(history.cpu_seconds, 1),
        **{metric: scores[metric] for metric in ("bleu", "exact_match", "perplexity")},
    }


def table(orders: dict[str, list[dict]]) -> str:
    """BLEU, and perplexity in brackets, by length; means over seeds."""
    names = list(next(iter(orders.values()))[0]["bleu"])
    lines = ["| order of the source | " + " | ".join(names) + " |", "|---" * (1 + len(names)) + "|"]
    for order, runs in orders.items():
        means = {
            metric: {name: sum(run[metric][name] for run in runs) / len(runs) for name in names}
            for metric in ("bleu", "perplexity")
        }
        cells = [f"{means['bleu'][name]:.1f} ({means['perplexity'][name]:.2f})" for name in names]
        lines.append(f"| {order} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser_with_show(COMMAND, __doc__.splitlines()[0]), arguments)
    if options.show:
        print(table(read(options.out / "reversal.json")["orders"]))
        return
    settings: dict = {
        "steps": 3 if options.quick else 1800,
        "seeds": 1 if options.quick else 3,
        "training_pairs": 500 if options.quick else 60_000,
        "test_pairs_per_bucket": 5 if options.quick else 200,
        "lengths": [BUCKETS[0][0], BUCKETS[-1][1]],
        "tokens_per_batch": 800,
        "threads": 1,
    }
    torch.set_num_threads(settings["threads"])
    training = corpus(settings["training_pairs"], 2, (BUCKETS[0][0], BUCKETS[-1][1]))
    seen = {pair.source for pair in training}
    sets = {}
    for number, (shortest, longest) in enumerate(BUCKETS):
        drawn = corpus(10 * settings["test_pairs_per_bucket"], 2001 + number, (shortest, longest))
        fresh = list({pair.source: pair for pair in drawn if pair.source not in seen}.values())
        sets[f"{shortest}-{longest}"] = fresh[: settings["test_pairs_per_bucket"]]
    orders: dict[str, list[dict]] = {order: [] for order in ORDERS}
    for seed in range(settings["seeds"]):
        for order, runs in orders.items():
            runs.append(run(order, seed, settings, training, sets))
    test_pairs = {name: len(pairs) for name, pairs in sets.items()}
    report = {"command": COMMAND, "settings": settings, "test_pairs": test_pairs, "orders": orders}
    write(options.out / "reversal.json", report)
    print(table(orders))


if __name__ == "__main__":
    main()
