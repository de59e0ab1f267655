"""The cost of local and global attention: time and memory by source length and batch size.

    python -m seq2seq.experiments.local_cost            # about two minutes on one core
    python -m seq2seq.experiments.local_cost --quick    # a smoke test of a few seconds, results in a temporary folder

A target of fixed length attends to sources of growing length: all target words at once, as in training, or one word,
as in a decoder step.
Local attention is computed in two ways: masked, which scores every key, and gathered, which fetches the window first.
Time is the minimum CPU time of several runs of forward and backward, on one thread; it depends on the machine.
Memory is what autograd keeps between forward and backward, in bytes; it is the same on every machine.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from seq2seq.attention import Attention
from seq2seq.experiments.command_line import parse, parser_with_show, read, write
from seq2seq.experiments.scorer_cost import milliseconds
from seq2seq.local.attention import attend_gathered, attend_masked, gaussian_window_softmax
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, DotScorer

NAME = "local_cost"
COMMAND = f"python -m seq2seq.experiments.{NAME}"
SETTINGS: dict = {
    "lengths": [25, 50, 100, 200, 400, 800],
    "batches": [1, 4, 16, 64],
    "batch": 16,
    "length": 400,
    "queries": 25,
    "size": 128,
    "attention_size": 64,
    "half_width": 5,
}
SCORERS: dict[str, Callable[[int, int], Scorer]] = {  # from size and attention size
    "dot": lambda size, attention_size: DotScorer(),
    "additive": lambda size, attention_size: AdditiveScorer(size, size, attention_size),
}
LOCAL = {"local_masked": attend_masked, "local_gathered": attend_gathered}
KINDS = ("global", *LOCAL)


def contexts(
    kind: str, scorer: Scorer, queries: Tensor, projected: Tensor, states: Tensor, centres: Tensor, half_width: int
) -> Tensor:
    """The contexts of all queries by one of KINDS; sources have no padding, so every key is a real token."""
    mask = torch.ones(states.shape[:2], dtype=torch.bool, device=states.device)
    if kind == "global":
        return Attention(scorer).forward_all(queries, projected, states, mask)[0]
    return LOCAL[kind](gaussian_window_softmax, scorer, queries, projected, states, mask, centres, half_width)[0]


def kept_bytes(compute: Callable[[], Tensor], given: list[Tensor]) -> int:
    """Bytes that autograd keeps for the backward pass of `compute`, beyond the given tensors."""
    known = {tensor.untyped_storage().data_ptr() for tensor in given}
    kept: dict[int, int] = {}
    keeping: list[Tensor] = []  # so that no address is reused

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in known:
            kept[storage.data_ptr()] = storage.nbytes()
            keeping.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        compute()
    return sum(kept.values())


def measure(kind: str, scorer_name: str, batch: int, length: int, queries: int, settings: dict, runs: int) -> dict:
    """Milliseconds of forward and backward, and the bytes kept; keys are projected beforehand, once per sentence."""
    torch.manual_seed(0)
    scorer = SCORERS[scorer_name](settings["size"], settings["attention_size"])
    states = torch.randn(batch, length, settings["size"], requires_grad=True)
    asked = torch.randn(batch, queries, settings["size"], requires_grad=True)
    centres = (length * torch.rand(batch, queries)).requires_grad_()
    projected = scorer.project_keys(states).detach().requires_grad_()

    def compute() -> Tensor:
        return contexts(kind, scorer, asked, projected, states, centres, settings["half_width"])

    return {
        "milliseconds": milliseconds(compute, runs),
        "kept_bytes": kept_bytes(compute, [states, asked, centres, projected, *scorer.parameters()]),
    }


def table(report: dict) -> str:
    """Milliseconds by source length in Markdown: a row per scorer, kind of attention and number of queries."""
    lengths = report["settings"]["lengths"]
    lines = ["| scorer | attention | queries | " + " | ".join(map(str, lengths)) + " | MB at the longest |"]
    lines.append("|---" * (len(lengths) + 4) + "|")
    for scorer in SCORERS:
        for kind in KINDS:
            for queries in (1, report["settings"]["queries"]):
                entries = report[scorer][kind][f"by_length_{queries}"]
                cells = [f"{entry['milliseconds']:.2f}" for entry in entries]
                cells.append(f"{entries[-1]['kept_bytes'] / 1e6:.1f}")
                lines.append(f"| {scorer} | {kind} | {queries} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    options = parse(parser_with_show(COMMAND, __doc__.splitlines()[0]), arguments)
    if options.show:
        print(table(read(options.out / f"{NAME}.json")))
        return
    settings, runs = SETTINGS, 7
    if options.quick:
        settings, runs = SETTINGS | {"lengths": [12, 25], "batches": [1, 2], "batch": 2, "length": 25}, 1
    torch.set_num_threads(1)
    report: dict = {"command": COMMAND, "settings": settings, "torch": torch.__version__, "threads": 1, "seed": 0}
    for scorer in SCORERS:
        report[scorer] = {}
        for kind in KINDS:
            entry = report[scorer][kind] = {}
            for queries in (1, settings["queries"]):
                entry[f"by_length_{queries}"] = [
                    measure(kind, scorer, settings["batch"], length, queries, settings, runs)
                    for length in settings["lengths"]
                ]
                entry[f"by_batch_{queries}"] = [
                    measure(kind, scorer, batch, settings["length"], queries, settings, runs)
                    for batch in settings["batches"]
                ]
    write(options.out / f"{NAME}.json", report)
    print(table(report))


if __name__ == "__main__":
    main()
