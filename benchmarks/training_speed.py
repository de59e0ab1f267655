"""Training speed: the library against the common naive loop, with the same mathematics and parameters.

    python -m benchmarks.training_speed            # a few minutes on one core
    python -m benchmarks.training_speed --quick    # a smoke test of a few seconds
    python -m benchmarks.training_speed --device cuda --compiled    # a GPU, also by torch.compile: minutes a model

Two comparisons, each in one process on one thread, in alternation:
equal batches: forward and backward on sentences of 40 words, also of the library's model without the backward passes
that are written by hand (`written_ratio`; such a pass stays where it makes the model at least 1.5 times as fast);
end to end: whole training steps on the grammar corpus, with length buckets against batches of as many random
sentences (batching itself is not timed).
On a GPU both also replay what they have recorded.
"""

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec

import torch
from torch import Tensor, nn

from benchmarks.clock import Clock, replaying
from benchmarks.models import MODELS
from benchmarks.naive import training
from benchmarks.naive.model import NaiveModel
from benchmarks.report import machine, markdown, options, write
from benchmarks.ways import LOOPS, copied, recorded_by_autograd, replay, replay_kernels
from benchmarks.work import backward, gemm_rate, matmul_flops, profiled
from seq2seq.batch import Batch, collate, token_batches
from seq2seq.corpora.grammar import corpus
from seq2seq.gradient import Gradient
from seq2seq.model import Seq2Seq
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

COMMAND = "python -m benchmarks.training_speed"
SETTINGS = {
    "words": 40,
    "sentences": {"cpu": 10, "cuda": 64},  # on a CPU, as in the experiments
    "tokens_per_batch": {"cpu": 400, "cuda": 4000},
    "corpus_pairs": 6000,
    "corpus_lengths": [4, 50],
    "corpus_seed": 1,
    "runs": 21,
    "end_to_end_steps": 60,
    "learning_rate": 5e-3,
    "clip": 1.0,
}
QUICK = SETTINGS | {"corpus_pairs": 300, "runs": 1, "end_to_end_steps": 2}


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = options(COMMAND, __doc__.splitlines()[0], arguments, {"--compiled": "time torch.compile, too"})
    settings, device = QUICK if chosen.quick else SETTINGS, chosen.device
    kind = "cpu" if device.type == "cpu" else "cuda"
    torch.set_num_threads(1)
    clock = Clock(device)
    pairs = corpus(settings["corpus_pairs"], settings["corpus_seed"], tuple(settings["corpus_lengths"]))
    vocabs = Vocabulary.build(pair.source for pair in pairs), Vocabulary.build(pair.target for pair in pairs)
    sentences = settings["sentences"][kind]
    long = corpus(sentences, settings["corpus_seed"], (settings["words"], settings["words"]))
    batch = collate(long, *vocabs).to(device)
    steps = settings["end_to_end_steps"]
    generator = torch.Generator().manual_seed(0)
    bucketed = list(
        itertools.islice(token_batches(pairs, *vocabs, settings["tokens_per_batch"][kind], generator), steps)
    )
    bucketed = [part.to(device) for part in bucketed]
    mean_sentences = round(sum(len(part.source) for part in bucketed) / len(bucketed))
    unbucketed = [
        part.to(device)
        for part in itertools.islice(training.random_batches(pairs, *vocabs, mean_sentences, seed=0), steps)
    ]

    report: dict = {"command": COMMAND, "settings": settings, **machine(device), "models": {}}
    report["vocabulary_sizes"] = [len(vocab) for vocab in vocabs]
    report["sentences_per_batch"] = mean_sentences
    rows = []
    for name in chosen.models:
        torch.manual_seed(0)
        model = MODELS[name](*report["vocabulary_sizes"]).to(device)
        entry = equal_batches(model, batch, clock, settings["runs"])
        if chosen.compiled:
            entry["compiled_tokens_per_second"] = compiled(model, batch, clock, settings["runs"])
        entry |= end_to_end(model, bucketed, unbucketed, clock, settings)
        entry["profile"] = profiled(model, batch)
        report["models"][name] = entry
        rows.append({"model": name} | {key: value for key, value in entry.items() if key != "profile"})
        print(name, entry, flush=True)
        write(chosen.json, report)
    print(markdown(rows))
    for name, entry in report["models"].items():
        print(f"\n{name}, operations: " + ", ".join(f"{op} {share:.0%}" for op, share in entry["profile"].items()))


def equal_batches(model: Seq2Seq, batch: Batch, clock: Clock, runs: int) -> dict[str, float]:
    """Tokens per second of forward and backward, and the rate as a share of one matrix product's."""
    naive, recorded = NaiveModel(copied(model)), recorded_by_autograd(model)

    def ours_step() -> None:
        backward(model, forced_loss(model, batch, 0.0))

    def naive_step() -> None:
        backward(naive, training.loss(naive, batch))

    def recorded_step() -> None:
        backward(recorded, forced_loss(recorded, batch, 0.0))

    steps = [ours_step, naive_step, recorded_step]
    replayed = {}
    if clock.device.type != "cpu":
        replayed["replayed"] = replay(model, batch)
        is_written = type(model.decoder) in LOOPS and clock.device.type == "cuda"
        if is_written and find_spec("triton"):  # which PyTorch's builds for a GPU bring along
            by_kernels = replay_kernels(model, batch)
            if _agrees(by_kernels, replayed["replayed"]):
                replayed["kernels"] = by_kernels
    ours, theirs, by_autograd, *by_replay = clock.in_turns(*steps, *replayed.values(), runs=runs, warmups=3)
    replays = {}
    for name, seconds in zip(replayed, by_replay, strict=True):
        replays |= {f"{name}_tokens_per_second": batch.target_tokens / seconds, f"{name}_ratio": theirs / seconds}
    output_layer = model.decoder.output_layer
    rate = gemm_rate(clock, batch.target_in.numel(), output_layer.in_features, output_layer.out_features)
    flops = matmul_flops(model, batch)
    return {
        "tokens_per_second": batch.target_tokens / ours,
        "naive_tokens_per_second": batch.target_tokens / theirs,
        "ratio": theirs / ours,
        "written_ratio": by_autograd / ours,
        "gflops": flops / ours / 1e9,
        "gemm_gflops": rate / 1e9,
        "gemm_share": flops / ours / rate,
        **replays,
    }


def _agrees(by_kernels: Callable[[], Tensor], ours: Callable[[], Tensor]) -> bool:
    try:
        torch.testing.assert_close(by_kernels(), ours(), rtol=1e-4, atol=0.0)
    except Exception as error:  # a compiler may raise anything; the benchmark continues without it
        print(f"kernels: {type(error).__name__}: {error}")
        return False
    return True


def end_to_end(
    model: Seq2Seq, bucketed: list[Batch], unbucketed: list[Batch], clock: Clock, settings: dict
) -> dict[str, float]:
    """Tokens per second of whole training steps: forward, backward, clipping, Adam.

    Copies of the model take steps in alternation; the naive one uses default Adam, ours fused Adam.
    What a GPU replays is recorded before.
    """
    models = {"naive_": NaiveModel(copied(model)), "": copied(model)}
    if clock.device.type != "cpu":
        models["replayed_"] = copied(model)
    rates, sides = {}, {}
    for name, module in models.items():
        adam = torch.optim.Adam(module.parameters(), lr=settings["learning_rate"], fused=name != "naive_" or None)
        sides[name] = _steps(module, adam, clock.device, settings["clip"], replayed=name == "replayed_")
    for batch in bucketed * 2 if "replayed_" in sides else []:
        sides["replayed_"](batch)
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for ours, theirs in zip(bucketed, unbucketed, strict=True):
        for name, step in sides.items():
            seconds[name].append(clock.seconds(partial(step, theirs if name == "naive_" else ours)))
    first = min(5, len(bucketed) // 2)  # warm-up: memory is first allocated in these steps
    for name, times in seconds.items():
        batches = unbucketed if name == "naive_" else bucketed
        rates[name] = sum(batch.target_tokens for batch in batches[first:]) / sum(times[first:])
    entry = {f"{name}end_to_end": rate for name, rate in rates.items()}
    ratios = {f"{name}end_to_end_ratio": rate / rates["naive_"] for name, rate in rates.items() if name != "naive_"}
    return entry | ratios


def _steps(
    module: nn.Module, adam: torch.optim.Optimizer, device: torch.device, clip: float, replayed: bool
) -> Callable[[Batch], None]:
    """What a whole training step does with a batch."""
    if isinstance(module, Seq2Seq):
        with replaying(device, replayed):
            gradient = Gradient(module, forced_loss, device, clip, None, replayed)

        def library_step(batch: Batch) -> None:
            gradient(batch, 0.0)
            adam.step()

        return library_step

    def naive_step(batch: Batch) -> None:
        adam.zero_grad(set_to_none=True)
        training.loss(module, batch).backward()
        nn.utils.clip_grad_norm_(module.parameters(), clip)
        adam.step()

    return naive_step


def compiled(model: Seq2Seq, batch: Batch, clock: Clock, runs: int) -> float | None:
    """Tokens per second with ``torch.compile`` and CUDA graphs; None if compilation fails."""
    run = torch.compile(model, mode="reduce-overhead")
    try:
        (seconds,) = clock.in_turns(lambda: backward(model, forced_loss(run, batch, 0.0)), runs=runs, warmups=4)
    except Exception as error:  # a compiler may raise anything; the benchmark continues without it
        print(f"torch.compile: {type(error).__name__}: {str(error).splitlines()[0]}")
        return None
    return batch.target_tokens / seconds


if __name__ == "__main__":
    main()
