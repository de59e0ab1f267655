"""What a check says of answers that no list has: each is told by what it does, and nothing is tried a second time."""

import itertools
import math
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor, nn

from autograder.checking.checker import Checker, announced, examine
from autograder.checking.edits import edit, result
from autograder.checking.observation import Candidate
from autograder.checking.task import Task, hidden, mistake, variant, visible
from autograder.checking.trial import TaskError
from autograder.finding import CheckFailed
from autograder.tasks.bottleneck import check as bottleneck
from autograder.tasks.masking import check as masking
from autograder.tracebacks import AnswerError
from seq2seq.attention import attend, masked_softmax
from seq2seq.exercises.bottleneck import bleu_of_counts


def weights(scores: Tensor, source_mask: Tensor) -> Tensor:
    scaled = scores / 2.0
    low = scaled.masked_fill(~source_mask, -1e9)
    return torch.softmax(low, dim=-1) * source_mask


def inputs(draw, batch, keys):
    return {"scores": draw.normal(batch, keys), "source_mask": draw.mask(draw.lengths(batch, keys))}


FLOAT64 = hidden("float64", dtype=torch.float64)
AFTER = edit("torch.softmax(low, dim={x})", "torch.softmax(scaled, dim={x})")
TASK = Task(
    weights,
    "weights: shares of the real tokens",
    [visible(), hidden("one sentence", batch=1), FLOAT64, hidden("more", batch=4)],
    inputs,
    {"batch": 3, "keys": 5},
    {"weights": "batch keys"},
    id="test.weights",
    mistakes=[
        mistake("mask_after", "the mask comes after the softmax", AFTER),
        mistake("not_scaled", "the scores are not scaled", edit("scores / 2.0", "scores")),
        mistake("detached", "the result is cut off", result("({x}).detach()")),
        mistake("empty", "one sentence is lost", edit("{x} * source_mask", "({x} * source_mask)[:3]"), caught="hidden"),
    ],
    variants=[variant("quarter", edit("scores / 2.0", "scores / 4.0"), text={"2": "4"})],
)
seen: list[Tensor] = []


def remembering(scores, source_mask):
    seen.append(scores)
    return weights(seen[0] if seen[0].shape == scores.shape else scores, source_mask)


ANOTHER = "`log_softmax` stands where another function belongs"
WRONG = {
    "mask_after": lambda s, m: (s / 2).softmax(-1) * m,
    "not_scaled": lambda s, m: weights(2 * s, m),
    "mask_after+not_scaled": lambda s, m: s.softmax(-1) * m,
    "other_variant": lambda s, m: weights(s / 2, m),
    f"change: {ANOTHER}": lambda s, m: (s / 2).masked_fill(~m, -1e9).log_softmax(-1) * m,
    "change: a `~` or `not` is missing": lambda s, m: (s / 2).masked_fill(m, -1e9).softmax(-1) * m,
    **{"factor": lambda s, m: 3 * weights(s, m), "one_minus": lambda s, m: 1 - weights(s, m)},
    **{"shape": lambda s, m: weights(s, m)[:, :2], "dtype": lambda s, m: weights(s, m).half()},
    **{"nothing": lambda s, m: None, "not_a_tensor": lambda s, m: "weights"},
    "changed_in_place": lambda s, m: weights(s, m) + 0 * s.add_(0 * s.sum() + 1).sum() if not s.requires_grad else None,
    "random": lambda s, m: weights(s + torch.rand_like(s), m),
    "sentences_mixed": lambda s, m: weights(s + s.sum(0), m),
    "raised.ZeroDivisionError": lambda s, m: 1 / 0,
    "not_written": lambda s, m: (_ for _ in ()).throw(NotImplementedError),
    "remembers": remembering,
    "detached": lambda s, m: weights(s.detach().clone().requires_grad_(), m),
}


@pytest.mark.parametrize("wanted", WRONG)
@pytest.mark.parametrize("when", ["visible", "hidden"])
def test_a_wrong_answer_is_told_by_what_it_does_in_words_that_do_not_give_the_reference_away(wanted, when):
    seen.clear()
    finding = examine(TASK, Candidate(WRONG[wanted]), hidden=when == "hidden")
    assert finding is not None
    assert finding.mistake == wanted, str(finding)
    assert finding.task == "test.weights"
    parts_of_the_reference = ("masked_fill(", "~source_mask", "* source_mask", "-1e9", "softmax(low")
    assert [code for code in parts_of_the_reference if code in str(finding)] == []


def indexes(scores, source_mask):
    return scores[99]  # this line


def of_small_scores(scores, source_mask):
    assert scores.detach().abs().max() < 3  # unlike those of the probes
    return weights(scores, source_mask) ** 3


def raises(error):
    def answer(*given):
        raise error

    return answer


def changing(change):
    return lambda scores, source_mask: change(weights(scores, source_mask))


NO_TENSORS = {"nothing (None)": None, "a tuple of 2": (1, 2), "a list of 1": [1.0], "3.5": 3.5, "'text'": "text"}
NO_TENSORS["a DataFrame"] = SimpleNamespace(type_name="DataFrame")
SAID = [  # what an answer does, and words of what it is told
    *((indexes, "weights: raised IndexError:"), (indexes, "at your line `return scores[99]  # this line`")),
    (indexes, "scores (3, 5), source_mask (3, 5)"),
    (raises(NotImplementedError("")), "weights: not written yet."),
    (raises(NotImplementedError("not written yet")), "weights: not written yet."),
    (lambda s, mask: mask & torch.ones(s.shape), "raised NotImplementedError: "),  # torch has it not for a dtype
    (lambda s, mask: mask & torch.ones(s.shape), "not implemented for 'Float'"),
    (
        raises(AnswerError("OSError", "sizes\nand more", "a @ b")),
        "raised OSError: sizes, at your line `a @ b`",
    ),
    (lambda s, mask: s.div_(2).masked_fill_(~mask, -1e9).softmax(-1) * mask, "changed in place"),
    *((of_small_scores, "a row does not sum to 1"), (lambda: None, "raised TypeError")),
    (lambda scores, source_mask: exit(), "raised SystemExit"),
    *((lambda scores, source_mask, value=value: value, words) for words, value in NO_TENSORS.items()),
    (changing(torch.Tensor.to_sparse), "layout torch.sparse_coo"),
    (changing(torch.Tensor.double), "dtype torch.float64, expected torch.float32"),
    (changing(torch.Tensor.bool), "dtype torch.bool"),
    (changing(lambda shares: shares.to("meta")), "device meta"),
    (changing(lambda shares: shares.unsqueeze(-1)), "shape (3, 5, 1), expected (batch=3, keys=5); did you forget"),
    (changing(lambda shares: shares.index_fill(0, torch.tensor([1]), torch.nan)), "NaN in batch 1, expected finite"),
    (changing(lambda shares: shares.index_fill(0, torch.tensor([1]), torch.inf)), "infinity in batch 1"),
    (changing(torch.Tensor.detach), "cut off from autograd"),
    (changing(lambda shares: 2 * shares - shares.detach()), "the gradient of weights at scores"),
]


@pytest.mark.parametrize(("answer", "words"), SAID)
def test_an_exception_is_told_with_the_learners_own_line_and_what_is_no_tensor_or_no_fit_one_is_named(answer, words):
    assert words in str(examine(TASK, Candidate(answer), hidden=False))


def test_a_hidden_finding_shows_no_number_of_its_case_and_the_words_are_the_same_every_time():
    findings = [examine(TASK, Candidate(WRONG["not_scaled"]), hidden=True) for _ in range(3)]
    assert len(set(map(str, findings))) == 1
    assert findings[0].got == "wrong values"
    assert not any(sign.isdigit() for sign in str(findings[0]).replace("float64", ""))


def test_a_reference_that_fails_its_own_case_is_a_fault_of_the_task():
    broken = Task(weights, "t", [visible(raises="ValueError")], inputs, {"batch": 2, "keys": 3}, id="t.t")
    with pytest.raises(TaskError):
        examine(broken, Candidate(weights), hidden=False)


class Layer(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(size, size)

    def forward(self, states: Tensor) -> Tensor:
        return torch.tanh(self.layer(states))


LAYER = Task(
    Layer,
    "layer",
    [visible(), hidden("one", batch=1)],
    lambda draw, batch, size: {"states": draw.normal(batch, size)},
    {"batch": 3, "size": 4},
    {"states": "batch size"},
    answers=("forward",),
    id="test.layer",
)


class Cached(Layer):
    def forward(self, states):
        if not hasattr(self, "first"):
            self.first = self.layer(states)
        return torch.tanh(self.first)


class Wider(Layer):
    def __init__(self, size):
        super().__init__(size)
        self.more = nn.Linear(size, size)


class Untrained(Layer):
    def forward(self, states):
        return torch.tanh(states @ self.layer.weight.data.T + self.layer.bias)


@pytest.mark.parametrize("when", [False, True])
def test_a_module_is_asked_more_than_once_and_for_every_gradient(when):
    answers = (Layer, Cached, Wider, Untrained)
    findings = [examine(LAYER, Candidate(answer), when) for answer in answers]
    assert [finding and finding.mistake for finding in findings] == [None, "remembers", "parameters", "no_gradient"]


def long_ones_punished(matches, totals, hypothesis_length, reference_length):
    brevity = 1.0 if reference_length > hypothesis_length else math.exp(1 - reference_length / hypothesis_length)
    return brevity * bleu_of_counts(matches, totals, 1, 1)


def test_a_second_call_that_is_as_wrong_without_the_first_is_not_said_to_keep_something_from_it():
    finding = examine(bottleneck.tasks["bleu_of_counts"], Candidate(long_ones_punished), hidden=False)
    assert finding is not None
    assert finding.mistake != "remembers"
    assert "call" not in str(finding)


IMPORTS = "from seq2seq.attention import masked_softmax as theirs"
CALLING = {
    "within": f"def masked_softmax(*given):\n    {IMPORTS}\n    return theirs(*given)",
    "before": f"{IMPORTS}\ndef masked_softmax(*given): return theirs(*given)",
    "helped": f"{IMPORTS}\ndef masked_softmax(*given): return more(*given)\ndef more(*given): return theirs(*given)",
}


@pytest.mark.parametrize("name", CALLING)
def test_who_calls_the_librarys_solution_is_told_so_where_it_is_there(name):
    notebook = {"__name__": "__main__"}
    exec(CALLING[name], notebook)
    with pytest.raises(CheckFailed, match=r"of the library is called.*not there when your work is graded"):
        masking("masked_softmax", notebook["masked_softmax"])
    masking("masked_softmax", masked_softmax)


def test_who_imports_from_the_library_where_it_is_not_is_told_why():
    def answer(scores, source_mask):
        from seq2seq.nowhere import masked_softmax as theirs

        return theirs(scores, source_mask)

    for when in (False, True):
        finding = examine(masking.tasks["masked_softmax"], Candidate(answer), when)
        assert finding is not None
        assert finding.mistake == "raised.ModuleNotFoundError"
        assert "only what the notebook itself imports" in str(finding)


def test_a_right_answer_to_another_variant_is_not_announced_in_the_words_of_the_plain_one():
    plain = Task(weights, "add: a sum", [], variants=[variant("minus", text={"the sum": "the difference"})])
    told = [announced(task, hidden=False) for task in (plain, plain.of("plain"), plain.of("minus"))]
    assert told == ["add: a sum", "add: a sum", "add: as your variant asks"]


def wrong_at_first(times):
    """A right answer that doubles the weights in its first calls."""
    calls = itertools.count()
    return lambda *args, **kwargs: masked_softmax(*args, **kwargs) * (2 if next(calls) < times else 1)


@pytest.fixture
def fresh():
    return Checker("autograder.tasks.masking", masking.tasks)


@pytest.mark.parametrize(("times", "is_hidden"), [(1, False), (1, True), (2, False), (3, True), (8, False), (30, True)])
def test_what_is_wrong_in_a_first_look_stays_wrong(fresh, times, is_hidden):
    with pytest.raises(CheckFailed):
        fresh("masked_softmax", wrong_at_first(times), hidden=is_hidden)


def test_what_was_right_when_played_again_is_told_as_a_contradiction(fresh):
    with pytest.raises(CheckFailed) as failure:
        fresh("masked_softmax", wrong_at_first(1))
    assert failure.value.finding.mistake == "contradicts"
    assert "depend on the arguments alone" in str(failure.value)
    assert failure.value.finding.diagnosis.endswith("the same call gives different results")


def attending(softmax, code="masked_softmax(scores, source_mask)"):
    """An answer in a notebook whose masked_softmax is this."""
    cell = f"def attend(scores, values, source_mask):\n    weights = {code}\n"
    names = {"torch": torch, "masked_softmax": softmax}
    exec(cell + '    return torch.einsum("bk,bkv->bv", weights, values), weights', names)
    return names["attend"]


def without_mask(scores, source_mask, temperature=1.0):
    return torch.softmax(scores / temperature, dim=-1)


def mistakes(fresh, name, answer):
    """What is said of an answer in the visible and in the hidden cases."""
    for is_hidden in (False, True):
        try:
            fresh(name, answer, hidden=is_hidden)
            yield ""
        except CheckFailed as failure:
            yield failure.finding.mistake


def test_a_mistake_that_has_a_name_is_not_counted_again_and_excuses_no_other(fresh):
    assert [*mistakes(fresh, "masked_softmax", without_mask)] == ["no_mask", "no_mask"]
    assert [*mistakes(fresh, "attend", attending(without_mask))] == ["", ""]
    assert [*mistakes(fresh, "attend", attend)] == ["", ""]  # a right answer passes whatever became of the earlier ones
    sums = [*mistakes(fresh, "attend", lambda scores, values, mask: (values.sum(1), without_mask(scores, mask)))]
    assert not {"", "earlier"} & {*sums}  # it calls no earlier answer
    for code in ("scores.softmax(-1)", "torch.rand_like(scores)"):
        assert not {"", "earlier"} & {*mistakes(fresh, "attend", attending(without_mask, code))}
    called = "{} + 0 * masked_softmax(scores, source_mask)"
    for code, told in (("scores.softmax(-1)", "no_mask"), ("scores.square()", "earlier")):  # the former is listed
        assert [*mistakes(fresh, "attend", attending(without_mask, called.format(code)))] == [told, told]


def test_an_answer_that_calls_one_that_is_not_written_yet_is_told_so(fresh):
    def unwritten(scores, source_mask, temperature=1.0):
        raise NotImplementedError("not written yet")

    assert "" not in mistakes(fresh, "masked_softmax", unwritten)
    assert [*mistakes(fresh, "attend", attending(unwritten))] == ["earlier", "earlier"]
    nothing = {"masked_softmax": unwritten}
    exec("def attend(*given):\n    raise NotImplementedError('not written yet')", nothing)
    assert [*mistakes(fresh, "attend", nothing["attend"])] == ["not_written", "not_written"]


TABLE = [1.0, 2.0, 3.0]


def test_an_answer_that_uses_the_example_of_another_cell_is_told_its_name(fresh):
    names = {"torch": torch, "every": torch.zeros(4, 5), "PAD": 0, "table": TABLE, "size": 4}
    for code, name in (
        ("torch.softmax((scores + every[:, :1].sum()).masked_fill(~source_mask, -1e4), -1)", "every"),
        ("torch.softmax(scores[:, :size].masked_fill(~source_mask[:, :size], -1e4), -1)", "size"),
        ("torch.tensor([table for row in scores]).reshape(len(scores), -1)", "table"),
        ("(scores + PAD).sigmoid().square()", ""),
    ):
        exec(f"def masked_softmax(scores, source_mask, temperature=1.0):\n    return {code}", names)
        with pytest.raises(CheckFailed) as failure:
            fresh("masked_softmax", names["masked_softmax"])
        assert (f"uses `{name}` of another cell" in str(failure.value)) == bool(name), failure.value
        assert names["table"] is TABLE  # what was taken is back


@pytest.mark.parametrize("softmax", [lambda scores, mask, temperature=1.0: 0 * scores, lambda scores, *_: scores - 1])
def test_a_mistake_without_a_name_or_that_leaves_nothing_but_zeros_is_to_be_mended_first(fresh, softmax):
    assert "" not in mistakes(fresh, "masked_softmax", softmax)
    with pytest.raises(CheckFailed, match="your `masked_softmax`, whose own check fails: fix that first"):
        fresh("attend", attending(softmax))
    fresh("masked_softmax", masked_softmax)
    assert not {"", "earlier"} & {*mistakes(fresh, "attend", attending(softmax))}


def turned(states: Tensor) -> tuple[Tensor, Tensor]:
    backwards = states.flip(1)
    return backwards, backwards[:, 0]


TURNED = Task(
    turned,
    "turned: from the last to the first",
    [visible()],
    lambda draw, batch, length: {"states": draw.normal(batch, length, 2)},
    {"batch": 3, "length": 4},
    {"backwards": "batch length size", "first": "batch size"},
    id="test.turned",
    mistakes=[
        mistake("not_turned", "nothing is turned", edit("states.flip(1)", "states")),
        mistake("last", "this is the last", edit("backwards[:, 0]", "backwards[:, -1]")),
    ],
)


def test_of_two_mistakes_the_one_is_told_that_the_other_does_not_undo():
    told = {
        "nothing is turned": lambda states: (states, states[:, -1]),
        "this is the last": lambda states: (states.flip(1), states[:, 0]),
    }
    for why, answer in told.items():
        assert examine(TURNED, Candidate(answer), hidden=False).why == why
