"""One training run of JoeyNMT, timed: run by JoeyNMT's own Python, so it imports nothing of this project.

    build/joeynmt/bin/python benchmarks/joeynmt_run.py CONFIG GOAL

After each validation it prints a line of JSON: updates, CPU seconds of training without validation, and BLEU.
It stops when BLEU reaches GOAL.
"""

import json
import sys
import time
from pathlib import Path

import torch
from joeynmt import builders, training
from joeynmt.config import load_config


class TimedTraining(training.TrainManager):
    goal: float
    validating = 0.0
    started = 0.0

    def train_and_validate(self, **sets: object) -> None:
        self.started = time.process_time()
        super().train_and_validate(**sets)

    def _add_report(self, valid_scores: dict, new_best: bool = False) -> None:
        super()._add_report(valid_scores, new_best)
        self.score = valid_scores["bleu"]

    def _validate(self, valid_data: object) -> None:
        began = time.process_time()
        super()._validate(valid_data)
        self.validating += time.process_time() - began
        seconds = time.process_time() - self.started - self.validating
        record = {"steps": self.stats.steps, "cpu_seconds": round(seconds, 1), "bleu": round(self.score, 2)}
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        print(json.dumps(record | {"parameters": parameters}), flush=True)
        if self.score >= self.goal:
            raise KeyboardInterrupt  # its own way to end a training early


def plateau(optimizer: torch.optim.Optimizer, verbose: bool = False, **settings: object) -> object:
    """What JoeyNMT 2.3 asks for with an argument that newer releases of torch do not have."""
    return torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **settings)


if __name__ == "__main__":
    torch.set_num_threads(1)
    TimedTraining.goal = float(sys.argv[2])
    training.TrainManager = TimedTraining
    builders.ReduceLROnPlateau = plateau
    training.train(rank=0, world_size=1, cfg=load_config(Path(sys.argv[1])), skip_test=True)
