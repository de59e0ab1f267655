"""Answers whose values are right, and which are wrong all the same: each kind, in every task where it can occur."""

import threading
from functools import partial

import pytest
import torch
from every_task import TASKS as EVERY
from torch import Tensor, nn
from torch.utils._pytree import tree_map_only

from autograder.checking.draw import Inputs, usage_of
from autograder.checking.observation import Candidate
from autograder.checking.play import play
from autograder.checking.task import Task
from autograder.checking.trial import first_wrong
from autograder.finding import CheckFailed
from autograder.tasks import masking
from seq2seq.attention import masked_softmax

TASKS = [task for task in EVERY if not task.is_class]


def cast(value, dtype):
    return tree_map_only(Tensor, lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor, value)


def in_single_precision(function):
    def answer(*args, **kwargs):
        is_double = any(
            isinstance(argument, Tensor) and argument.dtype == torch.float64 for argument in (*args, *kwargs.values())
        )
        result = function(*cast(args, torch.float32), **cast(kwargs, torch.float32))
        return cast(result, torch.float64) if is_double else result

    return answer


def remembering(function):
    """Knows its arguments again by their sizes and first numbers."""
    results = {}

    def answer(*args, **kwargs):
        given = (*args, *kwargs.items())
        known = tree_map_only(Tensor, lambda tensor: (tensor.shape, tensor.flatten()[:1].tolist()), given)
        where = torch.is_grad_enabled(), repr(known)
        if where not in results:
            results[where] = function(*args, **kwargs)
        return results[where]

    return answer


def remembering_objects(function):
    """Knows its arguments again by who they are, whatever is in them now."""
    results = {}

    def answer(*args, **kwargs):
        where = (
            torch.is_grad_enabled(),
            *(id(argument) for argument in (*args, *kwargs.values()) if isinstance(argument, Tensor)),
        )
        results.setdefault(where, (args, function(*args, **kwargs)))
        return results[where][1]

    return answer


def in_one_buffer(function):
    """Gives all results of a size in the same tensor."""
    buffers = {}

    def kept(result):
        return result if result.requires_grad else buffers.setdefault(result.shape, result.clone()).copy_(result)

    return lambda *args, **kwargs: tree_map_only(Tensor, kept, function(*args, **kwargs))


def leaving_leaves(function):
    """Makes what it is given a leaf of a graph of its own."""
    leave = lambda tensor: tensor.requires_grad_() if tensor.is_floating_point() and tensor.is_leaf else tensor  # noqa: E731

    def answer(*args, **kwargs):
        result = tree_map_only(Tensor, Tensor.detach, function(*args, **kwargs))
        tree_map_only(Tensor, leave, (args, kwargs))
        return result

    return answer


def taking(change, function):
    return lambda *args, **kwargs: function(
        *tree_map_only(Tensor, change, args), **tree_map_only(Tensor, change, kwargs)
    )


def side_by_side(tensor):
    return tensor.as_strided(tensor.shape, torch.empty(tensor.shape, device="meta").stride())


def cut_off_unless_a_leaf(tensor):
    return tensor if tensor.is_leaf else tensor.detach()


def overwriting(when, function):
    def answer(*args, **kwargs):
        tensors = [value.detach() for value in (*args, *kwargs.values()) if isinstance(value, Tensor)]
        result = function(*args, **kwargs)
        when(result, lambda *slope: [tensor.fill_(0) for tensor in tensors][:0] or None)
        return result

    return answer


def late(result, overwrite):
    threading.Timer(0.003, overwrite).start()


def in_the_backward_pass(result, overwrite):
    tree_map_only(Tensor, lambda tensor: tensor.register_hook(overwrite) if tensor.requires_grad else tensor, result)


def with_modules(change, function):
    """Does something to each module that it is given, before and after the call."""

    def answer(*args, **kwargs):
        modules = [value for value in args if isinstance(value, nn.Module)]
        answer.has_modules |= bool(modules)
        for module in modules:
            change(module, False)
        try:
            return function(*args, **kwargs)
        finally:
            for module in modules:
                change(module, True)

    answer.has_modules = False
    return answer


CHANGES = {
    "changed": lambda module, is_after: next(module.parameters()).data.mul_(-1 if is_after else 1),
    "cut off": lambda module, is_after: next(module.parameters()).requires_grad_(is_after),
    "left in eval mode": lambda module, is_after: module.eval(),
}


def freeze(module, result):
    stop = lambda slope: [parameter.requires_grad_(False) for parameter in module.parameters()] and None  # noqa: E731
    tree_map_only(Tensor, lambda tensor: tensor.register_hook(stop) if tensor.requires_grad else tensor, result)


def count(module, result):
    module.register_buffer("calls", getattr(module, "calls", torch.zeros(())) + 1)


def forget(module, result):
    tree_map_only(Tensor, lambda tensor: tensor if module.training else tensor.detach().zero_(), result)


def with_methods(change, kind, names):
    """The module, of whose methods each does something more before it returns."""

    def more(method):
        def call(module, *args, **kwargs):
            result = method(module, *args, **kwargs)
            change(module, result)
            return result

        return call

    return type(kind.__name__, (kind,), {name: more(getattr(kind, name)) for name in names if name != "__init__"})


def is_right(task: Task, answer) -> bool:
    candidate = Candidate(answer, task.tools)
    with torch.random.fork_rng(devices=[]):
        return all(first_wrong(task, candidate, hidden) is None for hidden in (False, True))


def passing(make, tasks) -> set[str]:
    return {task.id for task in tasks if is_right(task, make(task.definition.compiled()))}


def is_about_numbers(task: Task, dtype: torch.dtype) -> bool:
    """Whether tensors of this kind go in and numbers computed from them come out, several, and nothing else."""
    for case in task.chosen(hidden=dtype == torch.float64):
        given = Inputs(task, case)[""]
        if case.dtype != dtype or case.raises or not all(isinstance(value, Tensor) for value in given.values()):
            continue
        results = play(usage_of(task, case).once, task.right, {"": given})
        values = [result.value for result in results]
        known = torch.cat([value.flatten().to(dtype) for value in given.values()])
        are_numbers = all(isinstance(value, Tensor) and value.dtype == dtype for value in values)
        return are_numbers and all(
            (value % 1).count_nonzero() > 1 and not torch.isin(value, known).all() for value in values
        )
    return False


FEW = [task for task in TASKS if task.id.startswith(("masking", "encoder_decoder", "luong"))]
SOME = pytest.param(FEW, id="three exercises")
ALL = pytest.param(TASKS, id="all", marks=pytest.mark.long("every mutant"))


@pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad=True")
@pytest.mark.parametrize("tasks", [SOME, ALL])
def test_right_values_do_not_excuse_what_else_is_wrong(tasks):
    in_single, in_double = (
        [task for task in tasks if is_about_numbers(task, d)] for d in (torch.float32, torch.float64)
    )
    assert min(len(in_single), len(in_double)) >= len(tasks) // 6
    assert passing(in_single_precision, in_double) == set()
    assert passing(remembering, in_single) == set()
    assert passing(remembering_objects, in_single) == set()
    unchanged = [task for task in in_single if task.unchanged]
    assert passing(partial(overwriting, late), unchanged) == set()
    assert passing(in_one_buffer, in_single) == set()
    assert passing(leaving_leaves, unchanged) == set()
    with_gradients = [task for task in unchanged if task.gradients]
    assert passing(partial(overwriting, in_the_backward_pass), with_gradients) == set()
    assert passing(partial(taking, cut_off_unless_a_leaf), with_gradients) == set()
    assert passing(partial(taking, side_by_side), in_single) == set()


@pytest.mark.parametrize("tasks", [SOME, ALL])
@pytest.mark.parametrize("change", CHANGES)
def test_a_module_among_the_arguments_stays_as_it_was_and_in_the_graph(tasks, change):
    right = {}
    for task in tasks:
        if change != "cut off" or task.gradients:
            answer = with_modules(CHANGES[change], task.definition.compiled())
            is_passing = is_right(task, answer)
            right |= {task.id: is_passing} if answer.has_modules else {}
    assert {"encoder_decoder.log_probability", "luong.unroll_feeding", "luong.unroll_unfinished"} <= set(right)
    assert not any(right.values()), right


@pytest.mark.parametrize("change", [freeze, count, forget])
def test_a_module_is_the_same_after_its_calls_and_in_eval_mode(change):
    tasks = [task for task in EVERY if task.is_class and issubclass(task.reference, nn.Module) and task.unchanged]
    tasks = [task for task in tasks if task.gradients or change is not freeze]
    right = {
        task.id
        for task in tasks
        if is_right(task, with_methods(change, task.definition.compiled(), task.answers or ("forward",)))
    }
    assert len(tasks) > 10
    assert right == set()


def test_an_answer_is_judged_with_the_libraries_as_they_are_installed(monkeypatch):
    monkeypatch.setattr(Tensor, "detach", replaced := lambda tensor: tensor)
    with pytest.raises(CheckFailed, match="cut off from autograd"):
        masking.check("masked_softmax", lambda *args, **kwargs: masked_softmax(*args, **kwargs).detach())
    assert Tensor.detach is replaced
