"""Time to a BLEU of 99 on JoeyNMT's reverse task: this library beside JoeyNMT itself.

    make joeynmt                                   # JoeyNMT in build/joeynmt, then what follows
    python -m benchmarks.reverse_speed             # the tutorial's settings take longest; written after every seed
    python -m benchmarks.reverse_speed --quick     # a smoke test
    python -m benchmarks.reverse_speed --device cuda    # without the tutorial's settings, nor JoeyNMT where it is not

Both train a model of the sizes of JoeyNMT's tutorial, with input feeding, on the same 50,000 sequences of up to 25
symbols, and translate the same 1,000 of up to 30 greedily; the runs of a seed follow each other on one thread.
JoeyNMT runs twice: with the settings of its tutorial, over more epochs, and with this library's batches and learning
rate.
It is validated on the test sequences as it trains, and stops when its BLEU is at least 99; the time of validations does
not count.
Our learning rate falls to 0 by the end of a run, so there each number of steps is a run of its own, and the time is
that of the shortest whose BLEU is at least 99.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
import yaml

from benchmarks.report import machine, markdown, place, write
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.experiments.reverse_task import EMBEDDING_SIZE, SETTINGS, SIZE, data, run

COMMAND = "python -m benchmarks.reverse_speed"
ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / "build" / "joeynmt" / "bin" / "python"
RUN = ROOT / "benchmarks" / "joeynmt_run.py"
GOAL = 99.0
STEPS = (750, 1000, 1500, 2000, 3000, 4000)
TUTORIAL = {"batch_size": 10, "batch_type": "sentence", "learning_rate": 0.001}
OURS = {"batch_size": SETTINGS["tokens_per_batch"], "batch_type": "token", "learning_rate": SETTINGS["learning_rate"]}
LIMITS = {"tutorial": (40_000, 1000), "our_recipe": (8_000, 250)}  # updates at most, and between validations


def side(name: str) -> dict[str, object]:
    return {"lang": name, "level": "word", "max_length": 100, "lowercase": False, "voc_limit": 100, "voc_min_freq": 0}


def layers(**extra: object) -> dict[str, object]:
    embeddings = {"embedding_dim": EMBEDDING_SIZE, "scale": False}
    sizes = {"hidden_size": SIZE, "num_layers": 1, "dropout": 0.1}
    return {"type": "recurrent", "rnn_type": "lstm", "embeddings": embeddings} | sizes | extra


def configuration(
    folder: Path, seed: int, training: dict[str, object], updates: int, every: int, on_gpu: bool
) -> dict[str, object]:
    """The settings of its tutorial on the reverse task, but for `training`, without half precision and checkpoints."""
    testing = {"n_best": 1, "beam_size": 1, "batch_size": 100, "batch_type": "sentence", "max_output_length": 40}
    fixed = {"optimizer": "adam", "scheduling": "plateau", "patience": 5, "decrease_factor": 0.5}
    limits = {"learning_rate_min": 0.0002, "clip_grad_norm": 1.0, "weight_decay": 0.0, "early_stopping_metric": "bleu"}
    runs = {"epochs": 1000, "updates": updates, "validation_freq": every, "logging_freq": every, "shuffle": True}
    sets = {"dev": str(folder / "test"), "test": str(folder / "test"), "train": str(folder / "training")}
    decoder = layers(hidden_dropout=0.1, input_feeding=True, init_hidden="zero", attention="luong")
    start = {"initializer": "xavier_uniform", "embed_initializer": "normal", "embed_init_weight": 0.1}
    return {
        "name": "reverse",
        "joeynmt_version": "2.3.0",
        "model_dir": tempfile.mkdtemp(dir=folder),
        "use_cuda": on_gpu,
        "fp16": False,
        "random_seed": seed,
        "data": sets | {"dataset_type": "plain", "src": side("src"), "trg": side("trg")},
        "testing": testing | {"eval_metrics": ["bleu"], "sacrebleu_cfg": {"tokenize": "13a"}},
        "training": fixed | limits | runs | training | {"overwrite": True, "keep_best_ckpts": 1},
        "model": start | {"encoder": layers(bidirectional=True), "decoder": decoder, "bias_initializer": "zeros"},
    }


def save(pairs: list[Pair], stem: Path) -> None:
    for ending, lines in (("src", [pair.source for pair in pairs]), ("trg", [pair.target for pair in pairs])):
        stem.with_suffix(f".{ending}").write_text("".join(" ".join(words) + "\n" for words in lines))


def joeynmt(folder: Path, seed: int, *settings: Any) -> list[dict[str, float]]:
    """Every validation of one run, the last one at the goal if it came there."""
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(configuration(folder, seed, *settings)))
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [str(PYTHON), str(RUN), str(path), str(GOAL)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"steps"')]
    if done.returncode or not records:
        raise SystemExit(f"reverse_speed: JoeyNMT's run failed with status {done.returncode}:\n{done.stderr[-2000:]}")
    return records


def ours(seed: int, settings: dict, budgets: Sequence[int], device: torch.device) -> list[dict[str, float]]:
    """One run for each number of steps, until one comes to the goal."""
    records = []
    for steps in budgets:
        _, record = run("feeding", seed, settings | {"steps": steps}, data(settings), device)
        records.append({key: record[key] for key in ("steps", "cpu_seconds", "bleu", "parameters")})
        if record["bleu"] >= GOAL:
            break
    return records


def row(name: str, runs: list[list[dict[str, float]]]) -> dict[str, object]:
    last = [records[-1] for records in runs]
    reached = [record["cpu_seconds"] for record in last if record["bleu"] >= GOAL]
    return {
        "trained by": name,
        "parameters": f"{last[0]['parameters']:,}",
        "runs at the goal": f"{len(reached)} of {len(runs)}",
        "CPU seconds, mean": fmean(reached) if reached else None,
        "shortest": min(reached, default=None),
        "longest": max(reached, default=None),
        "updates": f"{fmean(record['steps'] for record in last):,.0f}",
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Time to 99 BLEU on the reverse task, beside JoeyNMT.")
    parser.add_argument("--json", type=Path, help="where to write the report (default: benchmarks/results/)")
    parser.add_argument("--device", default="cpu", type=torch.device, help="cpu or cuda (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds, counted from 0 (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a smoke test; its numbers mean little")
    options = parser.parse_args(arguments)
    on_gpu = options.device.type != "cpu"
    if not PYTHON.exists() and not on_gpu:
        print(f"reverse_speed: {PYTHON} does not exist; `make joeynmt` installs JoeyNMT there.", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    settings = SETTINGS | ({"training_pairs": 200, "test_pairs": 5} if options.quick else {})
    recipes = {"tutorial": TUTORIAL, "our_recipe": OURS}
    if on_gpu:  # whose ten minutes the tutorial's settings alone would use up
        recipes = {"our_recipe": OURS} if PYTHON.exists() else {}
    models: dict[str, list[list[dict[str, float]]]] = {
        name: [] for name in ("ours", *(f"joeynmt_{k}" for k in recipes))
    }
    report = {"command": COMMAND, "goal": GOAL, **machine(options.device), "models": models}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, kind in enumerate(("training", "test"), start=1):
            lengths = tuple(settings[f"{kind}_lengths"])
            save(reverse(settings[f"{kind}_pairs"], number, lengths, settings["symbols"]), folder / kind)
        for seed in range(1 if options.quick else options.seeds):
            models["ours"].append(ours(seed, settings, (2,) if options.quick else STEPS, options.device))
            for kind, training in recipes.items():
                limits = (4, 2) if options.quick else LIMITS[kind]
                models[f"joeynmt_{kind}"].append(joeynmt(folder, seed, training, *limits, on_gpu))
            print(markdown([row(kind, runs) for kind, runs in models.items()]), flush=True)
            if not options.quick:
                write(options.json or place(COMMAND, options.device), report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
