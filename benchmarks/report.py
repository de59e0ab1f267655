"""Shared by the benchmarks: command-line options, and reports as Markdown tables and JSON."""

import argparse
import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from benchmarks.models import MODELS
from seq2seq.experiments import tables
from seq2seq.experiments.experiment import device

RESULTS = Path(__file__).resolve().parent / "results"


def options(
    command: str, title: str, arguments: Sequence[str] | None, flags: Mapping[str, str] | None = None
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=command, description=title)
    parser.add_argument("--quick", action="store_true", help="a smoke test of a few seconds; its numbers mean little")
    parser.add_argument("--json", type=Path, help="where to write the report (of all models: benchmarks/results/)")
    parser.add_argument("--device", default="cpu", type=_device, help="cpu or cuda (default: %(default)s)")
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    for flag, words in (flags or {}).items():
        parser.add_argument(flag, action="store_true", help=words)
    chosen = parser.parse_args(arguments)
    if chosen.json is None and not chosen.quick and chosen.models == list(MODELS):
        chosen.json = place(command, chosen.device)
    return chosen


def _device(text: str) -> torch.device:
    return torch.device(device(text))


def place(command: str, device: torch.device) -> Path:
    """Where the report of a benchmark is committed: one file for a CPU, and one for a GPU."""
    return RESULTS / f"{command.rpartition('.')[2]}{'' if device.type == 'cpu' else f'_{device.type}'}.json"


def machine(device: torch.device) -> dict[str, str | int]:
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else machine_name()
    return {"device": device.type, "name": name, "torch": torch.__version__, "threads": torch.get_num_threads()}


def machine_name() -> str:
    """The name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def markdown(rows: Sequence[dict[str, object]]) -> str:
    """Rows as a table of all their keys; numbers from 100 up have no decimals."""
    heads = list(dict.fromkeys(key for row in rows for key in row))
    return tables.markdown(heads, ([_cell(row.get(head)) for head in heads] for row in rows))


def _cell(value: object) -> str:
    if not isinstance(value, float):
        return "–" if value is None else str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def write(path: Path | None, report: dict) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=1) + "\n")
