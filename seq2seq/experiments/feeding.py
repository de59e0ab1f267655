"""Does input feeding help most where a symbol does not reveal its position? Reversal with few symbols and with many.

    python -m seq2seq.experiments.feeding            # 3 alphabets × 2 models × 3 seeds, under a minute on one core each
    python -m seq2seq.experiments.feeding --quick    # a smoke test of a few seconds, results in a temporary folder

The task and the models are those of ``reverse_task``, with fewer steps; only the number of symbols changes.
With 51 symbols the word just written nearly identifies its position; with 2 it says nothing about it, and a decoder
without input feeding has to count.
The record of a run has the shares of source words whose weights in its own translations sum to less than 0.5
(``missed``) and to more than 1.5 (``repeated``): the coverage of Luong et al. (2015, section 3.3).
"""

from pathlib import Path

import torch
from torch import Tensor

from seq2seq.batch import collate
from seq2seq.experiments import reverse_task
from seq2seq.experiments.command_line import add_seeds, parse, parser_with_show, read, resume, write
from seq2seq.experiments.reverse_task import DECODERS, Trained, trained
from seq2seq.experiments.study import spread
from seq2seq.search import greedy
from seq2seq.vocab import EOS, PAD

COMMAND = "python -m seq2seq.experiments.feeding"
SYMBOLS = (2, 5, 51)
SETTINGS = reverse_task.SETTINGS | {"steps": 2000, "training_pairs": 30_000, "test_pairs": 500}


def looks(weights: Tensor, ids: Tensor) -> Tensor:
    """The sum of each source word's weights over all steps before EOS.

    Shape:
        weights: (batch, steps, source_len)
        ids: (batch, steps), the output
        looks: (batch, source_len)
    """
    return (weights * ((ids != PAD) & (ids != EOS)).unsqueeze(-1)).sum(dim=1)


def coverage(found: Trained) -> dict[str, float]:
    """The shares of source words that were missed and repeated."""
    batch = collate(found.test, found.vocab, found.vocab)
    ids, weights = greedy(found.model, batch.source, batch.source_lengths, max_length=40)
    assert weights is not None
    real = looks(weights, ids)[batch.source_mask]
    return {
        "missed": round((real < 0.5).float().mean().item(), 4),
        "repeated": round((real > 1.5).float().mean().item(), 4),
    }


def run(name: str, seed: int, settings: dict) -> dict:
    found = trained(name, seed, settings)
    return reverse_task.record(found, seed) | coverage(found) | {"settings": settings}


def table(alphabets: dict[str, dict[str, list[dict]]]) -> str:
    entries = ("bleu", "exact_match", "missed", "repeated")
    lines = ["| symbols | model | " + " | ".join(entries) + " | CPU seconds |", "|---" * (3 + len(entries)) + "|"]
    for symbols, models in alphabets.items():
        for name, runs in models.items():
            cells = [spread([run[entry] for run in runs], 1 if entry == "bleu" else 3) for entry in entries]
            seconds = sum(run["cpu_seconds"] for run in runs) / len(runs)
            lines.append(f"| {symbols} | {name} | " + " | ".join(cells) + f" | {seconds:.0f} |")
    return "\n".join(lines)


def collect(out: Path, settings: dict, seeds: int) -> dict[str, dict[str, list[dict]]]:
    """All runs, existing and new, by alphabet and model; the report is rewritten after each."""
    folder = out / "feeding"
    folder.mkdir(exist_ok=True)
    alphabets: dict[str, dict[str, list[dict]]] = {str(symbols): {name: [] for name in DECODERS} for symbols in SYMBOLS}
    for seed in range(seeds):
        for symbols in SYMBOLS:
            for name in DECODERS:
                own = settings | {"symbols": symbols}
                path = folder / f"{name}_{symbols}-{seed}.json"
                alphabets[str(symbols)][name].append(resume(path, own, lambda: run(name, seed, own)))  # noqa: B023
                done = {key: {each: runs for each, runs in models.items() if runs} for key, models in alphabets.items()}
                report = {"command": COMMAND, "settings": settings, "torch": torch.__version__, "symbols": done}
                write(out / "feeding.json", report)
    return alphabets


def main(arguments: list[str] | None = None) -> None:
    options_parser = parser_with_show(COMMAND, __doc__.splitlines()[0])
    add_seeds(options_parser, 3)
    options = parse(options_parser, arguments)
    if options.show:
        print(table(read(options.out / "feeding.json")["symbols"]))
        return
    settings = SETTINGS | ({"training_pairs": 200, "test_pairs": 5, "steps": 3} if options.quick else {})
    torch.set_num_threads(settings["threads"])
    print(table(collect(options.out, settings, options.seeds)))


if __name__ == "__main__":
    main()
