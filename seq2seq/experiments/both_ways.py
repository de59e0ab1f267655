"""Alignment from the combined weights of two models, one for each direction of translation.

    python -m seq2seq.experiments.both_ways            # 2 wirings × 3 seeds, 4 core-minutes each
    python -m seq2seq.experiments.both_ways --quick    # a smoke test of a few seconds, results in a temporary folder

Statistical aligners have long been run in both directions and combined (Och & Ney, 2003).
Here one model translates from English to French and another from French to English, each trained as in
``length_curve``; the weights are those of forced decoding of the test sentences.
``forwards`` links each French word to the English word with its largest weight, ``backwards`` each English word to a
French one; ``mean`` and ``product`` link each French word by the mean or the product of both models' weights; ``both``
keeps the links on which the two agree, ``either`` all links.
"""

import torch
from torch import Tensor

from seq2seq.alignment import Links, aer, hard_links
from seq2seq.corpora.pair import Pair
from seq2seq.evaluation.word_aligner import turned
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, resume, write
from seq2seq.experiments.evaluation import forced_weights
from seq2seq.experiments.length_curve import STEPS_PER_MINUTE
from seq2seq.experiments.recipe import MODELS
from seq2seq.experiments.study import QUICK, SETTINGS, Data, Variant, prepare, run
from seq2seq.model import Seq2Seq

COMMAND = "python -m seq2seq.experiments.both_ways"
WIRINGS = ("luong_bilinear", "bahdanau")
WAYS = ("forwards", "backwards", "mean", "product", "both", "either")


def other_way(data: Data) -> Data:
    sets = {name: [turned(pair) for pair in pairs] for name, pairs in data.sets.items()}
    return Data([turned(pair) for pair in data.training], sets, data.target_vocab, data.source_vocab)


def links(forwards: Tensor, backwards: Tensor) -> dict[str, Links]:
    """The links of one sentence, by each method of combination.

    Shape:
        forwards: (target_len, source_len), weights over source words
        backwards: (source_len, target_len), weights over target words
    """
    target_length, source_length = forwards.shape
    ahead = hard_links(forwards, source_length, target_length)
    back = frozenset((source, target) for target, source in hard_links(backwards, target_length, source_length))
    return {
        "forwards": ahead,
        "backwards": back,
        "mean": hard_links(forwards + backwards.T, source_length, target_length),
        "product": hard_links(forwards * backwards.T, source_length, target_length),
        "both": ahead & back,
        "either": ahead | back,
    }


@torch.no_grad()
def weights(model: Seq2Seq, pairs: list[Pair], data: Data) -> list[Tensor]:
    """The weights of each pair, (target_len, source_len), without the row of EOS."""
    found = forced_weights(model, pairs, data.source_vocab, data.target_vocab)
    return [rows[:-1] for rows in found or []]


def measure(wiring: str, seed: int, settings: dict, data: Data) -> dict:
    """Train both models of a wiring from one seed; the error rate of each method of combination, by length."""
    turned_data = other_way(data)
    variant = Variant(wiring, MODELS[wiring], STEPS_PER_MINUTE[wiring])
    record, ahead = run(variant, seed, settings, data)
    other_record, back = run(variant, seed, settings, turned_data)
    errors: dict[str, dict[str, float]] = {way: {} for way in WAYS}
    for name, pairs in data.sets.items():
        both = zip(weights(ahead, pairs, data), weights(back, turned_data.sets[name], turned_data), strict=True)
        found = [links(*sentence) for sentence in both]
        for way in WAYS:
            errors[way][name] = round(aer([each[way] for each in found], [pair.links for pair in pairs]), 4)
    bleu = {"forwards": record["bleu"], "backwards": other_record["bleu"]}
    seconds = round(record["cpu_seconds"] + other_record["cpu_seconds"], 1)
    return {"seed": seed, "settings": settings, "aer": errors, "bleu": bleu, "cpu_seconds": seconds}


def table(models: dict[str, list[dict]]) -> str:
    lines = ["| AER | seeds | " + " | ".join(WAYS) + " |", "|---" * (2 + len(WAYS)) + "|"]
    for name, runs in models.items():
        means = [sum(sum(run["aer"][way].values()) / len(run["aer"][way]) for run in runs) / len(runs) for way in WAYS]
        lines.append(f"| {name} | {len(runs)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "both_ways.json")["models"]))
        return
    settings = SETTINGS | {"minutes": 2.0}
    if options.quick:
        settings |= QUICK | {"minutes": 0.001}
    torch.set_num_threads(settings["threads"])
    data = prepare(settings)
    folder = options.out / "both_ways"
    folder.mkdir(exist_ok=True)
    models: dict[str, list[dict]] = {wiring: [] for wiring in WIRINGS}
    for seed in range(options.seeds):
        for wiring in WIRINGS:
            path = folder / f"{wiring}-{seed}.json"
            models[wiring].append(resume(path, settings, lambda: measure(wiring, seed, settings, data)))  # noqa: B023
            done = {name: runs for name, runs in models.items() if runs}
            write(options.out / "both_ways.json", {"command": COMMAND, "settings": settings, "models": done})
    print(table(models))


if __name__ == "__main__":
    main()
