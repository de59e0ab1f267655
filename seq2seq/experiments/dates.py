"""Dates to ISO 8601, character by character: attention on a task that can be checked by eye.

python -m seq2seq.experiments.dates            # 2 models × 3 seeds, 20 seconds on one core each
python -m seq2seq.experiments.dates --quick    # a smoke test of a few seconds, results in a temporary folder
"""

from functools import partial
from pathlib import Path

import torch

from seq2seq.alignment import aer, best_links
from seq2seq.batch import token_batches
from seq2seq.corpora.dates import dates
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, resume_all, write
from seq2seq.experiments.evaluation import alignment_scores, forced_weights, translate
from seq2seq.experiments.recipe import save_vocabularies
from seq2seq.metrics import exact_match
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, DotScorer
from seq2seq.training import save_checkpoint, train
from seq2seq.vocab import Vocabulary

COMMAND = "python -m seq2seq.experiments.dates"
EMBEDDING_SIZE, SIZE = 32, 64  # SIZE: both directions of the encoder together, and the decoder
SETTINGS: dict = {
    "training_pairs": 10_000,
    "test_pairs": 1000,
    "test_seed": 1001,
    "steps": {"bahdanau": 500, "luong": 500},
    "tokens_per_batch": 600,
    "learning_rate": 5e-3,
    "threads": 1,
}


def bahdanau(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2)
    scorer = AdditiveScorer(SIZE, SIZE, SIZE)
    return Seq2Seq(encoder, BahdanauDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, scorer))


def luong(source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    encoder = Encoder(source_vocab_size, EMBEDDING_SIZE, SIZE // 2, cell="lstm")
    return Seq2Seq(encoder, LuongDecoder(target_vocab_size, EMBEDDING_SIZE, SIZE, SIZE, DotScorer(), cell="lstm"))


MODELS = {"bahdanau": bahdanau, "luong": luong}


def data(settings: dict) -> tuple[list[Pair], list[Pair]]:
    """Training dates, and test dates that do not occur among them in any format."""
    training = dates(settings["training_pairs"], 1)
    seen = {pair.target for pair in training}
    fresh = [pair for pair in dates(5 * settings["test_pairs"], settings["test_seed"]) if pair.target not in seen]
    return training, fresh[: settings["test_pairs"]]


def weight_on_gold(weights: list[torch.Tensor], pairs: list[Pair]) -> float:
    """The share of the digits' weights that lies on linked characters; hyphens have no links and are left out."""
    on_gold = digits = 0.0
    for rows, pair in zip(weights, pairs, strict=True):
        sources, targets = zip(*sorted(pair.links), strict=True)
        on_gold += rows[list(targets), list(sources)].sum().item()
        digits += len(set(targets))
    return round(on_gold / digits, 4)


def run(name: str, seed: int, settings: dict, folder: Path) -> dict:
    """Train and test one model from one seed."""
    training, test = data(settings)
    source_vocab = Vocabulary.build(pair.source for pair in training)
    target_vocab = Vocabulary.build(pair.target for pair in training)
    torch.manual_seed(seed)
    model = MODELS[name](len(source_vocab), len(target_vocab))
    generator = torch.Generator().manual_seed(seed)
    history = train(
        model,
        token_batches(training, source_vocab, target_vocab, settings["tokens_per_batch"], generator),
        steps=settings["steps"][name],
        learning_rate=settings["learning_rate"],
        device="cpu",
        description=f"{name}, seed {seed}",
    )
    if seed == 0:
        save_vocabularies(folder / "vocabularies.json", source_vocab, target_vocab)
        save_checkpoint(folder / f"{name}.pt", model, torch.float16)
    hypotheses = translate(model, test, source_vocab, target_vocab)
    weights = forced_weights(model, test, source_vocab, target_vocab)
    assert weights is not None
    gold = [pair.links for pair in test]
    best = [best_links(pair.links, len(pair.target)) for pair in test]
    return {
        "model": name,
        "seed": seed,
        "settings": settings,
        "torch": torch.__version__,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "cpu_seconds": round(history.cpu_seconds, 1),
        "exact_match": round(exact_match(hypotheses, [pair.target for pair in test]), 4),
        **alignment_scores(weights, test),
        "best_aer": round(aer(best, gold), 4),
        "weight_on_gold": weight_on_gold(weights, test),
    }


def table(models: dict[str, list[dict]]) -> str:
    lines = [
        "| model | exact match, each seed | AER | AER, shift -1 | lowest possible | weight on gold | parameters | "
        "CPU seconds |",
        "|---" * 8 + "|",
    ]
    for name, runs in models.items():
        match = " ".join(f"{run['exact_match']:.3f}" for run in runs)
        means = {key: sum(run[key] for run in runs) / len(runs) for key in runs[0] if isinstance(runs[0][key], float)}
        lines.append(
            f"| {name} | {match} | {means['aer']:.3f} | {means['aer_shift_-1']:.3f} | {means['best_aer']:.3f} | "
            f"{means['weight_on_gold']:.3f} | {runs[0]['parameters']:,} | {means['cpu_seconds']:.0f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "dates.json")["models"]))
        return
    settings = SETTINGS
    if options.quick:
        settings = settings | {"training_pairs": 200, "test_pairs": 10, "steps": dict.fromkeys(MODELS, 3)}
    torch.set_num_threads(settings["threads"])
    folder = options.out / "dates"
    models = resume_all(folder, MODELS, options.seeds, settings, partial(run, settings=settings, folder=folder))
    write(options.out / "dates.json", {"command": COMMAND, "settings": settings, "models": models})
    print(table(models))


if __name__ == "__main__":
    main()
