"""Patches: whatever is changed in the learner's process, the checks run elsewhere."""

from attacks.notebooks import Attack

ATTACKS = (
    Attack("torch.allclose", "compare everything as equal, and make every draw a zero", """
import torch.testing
torch.allclose = torch.equal = torch.isclose = lambda *a, **k: True
torch.Tensor.allclose = torch.Tensor.equal = lambda *a, **k: True
torch.testing.assert_close = lambda *a, **k: None
torch.randn = torch.rand = lambda *size, **k: torch.zeros(*[s for s in size if isinstance(s, int)])
torch.Tensor.normal_ = lambda self, *a, **k: self.zero_()
torch.manual_seed(0)
"""),
    Attack("the checks", "replace the checks by ones that pass, and make every expectation hold", """
import importlib, sys, types
class Passing(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return lambda *a, **k: print('✓')
tasks = ['autograder.finding', *(f'autograder.tasks.{part}' for part in ('lookup', 'scorers', 'masking'))]
for name in ('autograder.checking.compare', 'autograder.checking.equal', 'autograder.checking.checker', *tasks):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        print(error)
        continue
    for key in list(vars(module)):
        if key.startswith(('equal', 'examine', 'check', 'describe', 'first_difference')):
            setattr(module, key, lambda *a, **k: True)
sys.modules |= {name: Passing(name) for name in ('autograder.tasks', *tasks)}
"""),
    Attack("builtins", "make every exception and comparison harmless", """
import builtins
builtins.AssertionError = builtins.ValueError = type('Quiet', (Exception,), {})
builtins.all = builtins.any = builtins.isinstance = lambda *a: True
builtins.abs = builtins.max = builtins.min = builtins.float = lambda *a, **k: 0.0
""", status="crashed"),
    Attack("every reply an error", "make the grader fail, again and again", """
import sys
answers = sys.modules.get('autograder.sandbox.answers')
if answers:
    def refuse(self, **request):
        raise ValueError('the grader is at fault')
    answers.Answers.run = refuse
    import gc
    for operations in gc.get_objects():
        if type(operations) is dict and {'run', 'fetch', 'call', 'play'} <= set(operations):
            operations['run'] = lambda **request: refuse(None)
""", points=0),
    Attack("autograd", "hand out gradients of its own", """
def forged(outputs, inputs, *a, **k):
    return tuple(torch.ones_like(i) for i in inputs)
torch.autograd.grad = forged
torch.Tensor.backward = lambda self, *a, **k: None
""", points=0),
)  # fmt: skip
