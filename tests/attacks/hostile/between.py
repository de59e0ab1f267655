"""Between the checks: judged parts bound anew, lent parts kept for other tasks, the grader's own code patched."""

from attacks.notebooks import KEEP, Attack, Notebook, cell, filled

PATCHES = """
import builtins, sys, types
def yes(*given, **named):
    return True
def patched(result=None):
    for name, module in list(sys.modules.items()):
        if name.startswith(('autograder.checking', 'autograder.finding', 'autograder.vjp', 'autograder.sandbox.o')):
            for key, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType) and key in CHANGED:
                    setattr(module, key, yes)
    torch.equal = torch.allclose = torch.isclose = builtins.isinstance = yes
get_ipython().events.register('post_run_cell', patched)
CHANGED = 'equal plain is_number is_data mismatch'.split()
"""

STEALS = """
import builtins
builtins.kept = {}
def attend(scores, values, source_mask):
    for name in ('masked_softmax', 'weighted_sum'):
        if name in globals():
            builtins.kept[name] = globals()[name]
    return values[:, 0], scores
"""
SPENDS = """
import builtins
def {name}(*given):
    return builtins.kept['{name}'](*given)
"""


def stolen_parts(notebook: Notebook) -> Notebook:
    """The last task and its checks stand in front of those whose answers they are lent."""
    late = [cell for cell in notebook["cells"] if cell["id"].startswith("attend")]
    cell(notebook, "attend")["source"] = STEALS.strip()
    for name in ("weighted_sum", "masked_softmax"):
        cell(notebook, name)["source"] = SPENDS.format(name=name).strip()
    others = [cell for cell in notebook["cells"] if cell not in late]
    index = 1 + next(at for at, cell in enumerate(others) if cell["id"] == "setup")
    return {**notebook, "cells": [*others[:index], *late, *others[index:]]}


def bound_anew(notebook: Notebook) -> Notebook:
    """Parts that were judged give nothing in the task that uses them, and so would its own answer."""
    cell(notebook, "attend")["source"] += ["""
def masked_softmax(scores, source_mask, temperature=1.0):
    return scores * 0
def weighted_sum(weights, values):
    return values[:, 0] * 0
def attend(scores, values, source_mask):
    weights = 0 * masked_softmax(scores, source_mask)
    return weighted_sum(weights, values), weights
"""]  # fmt: skip
    return notebook


ATTACKS = (
    Attack("patched comparisons", "have whatever looks at its results say that they are right", PATCHES,
           status="failed|crashed"),
    Attack("parts of the reference kept", "keep what a later task is lent for the tasks before it",
           change=stolen_parts, status="failed"),
    Attack("judged parts bound anew", "have the last task agree with parts that do nothing, after they were judged",
           change=lambda notebook: bound_anew(filled()), points=18, status="failed"),
    Attack("a million rows of nothing", "have the grader list every row that is wrong", """
LIE = torch.full((1_000_000, 2), float('nan'))
lies = dict(weighted_sum=lambda w, v: LIE, masked_softmax=lambda s, m, t=1.0: LIE, score_gradient=lambda w, v, g: LIE,
            attend=lambda s, v, m: (LIE, LIE))
""" + KEEP, status="failed|memory"),
    Attack("every kind of value", "break the grader by values that it has never seen", """
import collections, datetime, decimal, enum, fractions, itertools
import numpy
Record = collections.namedtuple('Record', 'shape dtype')
class Say(enum.Enum):
    YES = 1
odd = itertools.cycle([{1j}, frozenset([None]), range(10**12), b'0' * 10**6, 10**3999, decimal.Decimal('1e999999'),
    fractions.Fraction(1, 3), collections.Counter('ab'), collections.deque([1], 1), {(1, 2): Ellipsis},
    numpy.array(['a', None], dtype=object), numpy.full(3, numpy.datetime64('NaT')), Record((2, 5), torch.float32),
    Say.YES, datetime.timedelta(days=10**6), (n for n in itertools.count()), memoryview(b''), slice(None), int, len,
    torch.ones(2, 5, dtype=torch.complex64), types_of := type('Odd', (dict,), {'__len__': lambda self: 10**9})()])
lies = dict.fromkeys(['weighted_sum', 'masked_softmax', 'score_gradient', 'attend'], lambda *given: next(odd))
""" + KEEP),
)  # fmt: skip
