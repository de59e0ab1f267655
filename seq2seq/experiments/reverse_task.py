"""The reverse task of JoeyNMT: integers from 0 to 50, up to 25 in training and up to 30 in the test.

    python -m seq2seq.experiments.reverse_task            # 2 models × 3 seeds, about a minute on one core each
    python -m seq2seq.experiments.reverse_task --quick    # a smoke test of a few seconds, results in a temporary folder

JoeyNMT's tutorial trains a bidirectional LSTM of size 64 with an embedding size of 16, general scores and input
feeding, on 50,000 sequences, and reports a test BLEU of 95.19 (Kreutzer et al., 2019; docs, "Tutorial").
The same sizes are used here, with input feeding and without.
"""

from typing import NamedTuple

import torch

from seq2seq.batch import token_batches
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, write
from seq2seq.experiments.evaluation import translate
from seq2seq.metrics import bleu, exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.training import History, train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.reverse_task"
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


class Trained(NamedTuple):
    """A trained model, its training history and its test data."""

    model: Seq2Seq
    history: History
    test: list[Pair]
    vocab: Vocabulary


def trained(name: str, seed: int, settings: dict) -> Trained:
    """One model, trained from one seed."""
    symbols = settings["symbols"]
    training = reverse(settings["training_pairs"], 1, tuple(settings["training_lengths"]), symbols)
    test = reverse(settings["test_pairs"], 2, tuple(settings["test_lengths"]), symbols)
    vocab = Vocabulary([str(symbol) for symbol in range(symbols)])
    torch.manual_seed(seed)
    encoder = Encoder(len(vocab), EMBEDDING_SIZE, SIZE, cell="lstm")
    scorer = BilinearScorer(SIZE, encoder.state_size)
    model = Seq2Seq(encoder, DECODERS[name](len(vocab), EMBEDDING_SIZE, SIZE, encoder.state_size, scorer, cell="lstm"))
    history = train(
        model,
        token_batches(training, vocab, vocab, settings["tokens_per_batch"], torch.Generator().manual_seed(seed)),
        steps=settings["steps"],
        learning_rate=settings["learning_rate"],
        device="cpu",
        description=f"{name}, seed {seed}",
    )
    return Trained(model, history, test, vocab)


def run(name: str, seed: int, settings: dict) -> dict:
    """Train and test one model from one seed; returns its record."""
    return record(trained(name, seed, settings), seed)


def record(found: Trained, seed: int) -> dict:
    model, history, test, vocab = found
    hypotheses, references = translate(model, test, vocab, vocab), [pair.target for pair in test]
    return {
        "seed": seed,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": history.steps,
        "target_tokens": history.tokens,
        "cpu_seconds": round(history.cpu_seconds, 1),
        "bleu": round(bleu(hypotheses, references), 2),
        "exact_match": round(exact_match(hypotheses, references), 4),
    }


def table(models: dict[str, list[dict]]) -> str:
    lines = ["| model | BLEU, each seed | exact match | published BLEU | CPU seconds |", "|---|---|---|---|---|"]
    for name, runs in models.items():
        scores = " ".join(f"{run['bleu']:.2f}" for run in runs)
        match = sum(run["exact_match"] for run in runs) / len(runs)
        seconds = sum(run["cpu_seconds"] for run in runs) / len(runs)
        lines.append(f"| {name} | {scores} | {match:.3f} | {PUBLISHED_BLEU} | {seconds:.0f} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "reverse_task.json")["models"]))
        return
    settings = SETTINGS | ({"training_pairs": 200, "test_pairs": 5, "steps": 3} if options.quick else {})
    torch.set_num_threads(settings["threads"])
    models = {name: [run(name, seed, settings) for seed in range(options.seeds)] for name in DECODERS}
    report = {
        "command": COMMAND,
        "settings": settings,
        "torch": torch.__version__,
        "published_bleu": PUBLISHED_BLEU,
        "models": models,
    }
    write(options.out / "reverse_task.json", report)
    print(table(models))


if __name__ == "__main__":
    main()
