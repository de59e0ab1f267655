"""What the library does on a GPU, in one run of at most ten minutes: its tests there, then each benchmark.

    make gpu
    python -m benchmarks.gpu --data FOLDER    # the files of Multi30k are there already
    python -m benchmarks.gpu --quick --device cpu    # a smoke test of this script

Each part is a process of its own, ended when its time is over; what it has written by then stays.
JoeyNMT takes part where `make joeynmt` has installed it.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import torch

from benchmarks.report import RESULTS

COMMAND = "python -m benchmarks.gpu"
ROOT = RESULTS.parents[1]
ON_A_GPU = "gpu or device or recordings or kernel"  # in the names of tests and their files
SECONDS = {"tests": 110, "training_speed": 110, "decoding_speed": 90, "multi30k_speed": 160, "reverse_speed": 120}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smoke test of each part; their numbers mean little")
    parser.add_argument("--device", default="cuda", help="default: %(default)s")
    parser.add_argument("--data", help="the folder of Multi30k's files; missing files are downloaded to it")
    parser.add_argument("--parts", nargs="+", default=list(SECONDS), choices=list(SECONDS))
    chosen = parser.parse_args(arguments)
    if chosen.device == "cuda" and not torch.cuda.is_available():
        print("gpu: this machine or this build of PyTorch has no CUDA device; nothing was run.", file=sys.stderr)
        return 2
    statuses = {}
    for part in chosen.parts:
        started = time.perf_counter()
        statuses[part] = run(command(part, chosen), SECONDS[part])
        print(f"== {part}: {statuses[part]} after {time.perf_counter() - started:.0f} s", flush=True)
    return int(any(status != "passed" for status in statuses.values()))


def command(part: str, chosen: argparse.Namespace) -> list[str]:
    quick = ["--quick"] if chosen.quick else []
    if part == "tests":  # those of the library that ask for a GPU, which need nothing of the grader's
        alone = ["--confcutdir", "tests/seq2seq", "-o", "pythonpath=. tests", "-m", "not long", "-k", ON_A_GPU]
        paths = sorted((ROOT / "tests/seq2seq").glob("test_device.py" if chosen.quick else "test_*.py"))
        files = [str(path.relative_to(ROOT)) for path in paths if "gpu" in path.read_text()]
        return ["pytest", "-q", "-n", "auto", *files, "tests/benchmarks/test_kernel_steps.py", *alone]
    seeds = ["--seeds", "1"] if part == "reverse_speed" else []
    data = ["--data", chosen.data] if chosen.data and part == "multi30k_speed" else []
    return [f"benchmarks.{part}", "--device", chosen.device, *quick, *seeds, *data]


def run(arguments: list[str], seconds: float) -> str:
    command = [sys.executable, "-m", *arguments]
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # and what it has started, which would disturb the next part
            return f"ended, as its {seconds:.0f} s were over,"
    return "passed" if status == 0 else f"failed with status {status}"


if __name__ == "__main__":
    raise SystemExit(main())
