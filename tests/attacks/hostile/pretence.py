"""Pretence: values that claim to be what they are not."""

from attacks.notebooks import KEEP, Attack

SCORERS = ["DotScorer", "ScaledDotScorer", "BilinearScorer", "AdditiveScorer", "LocationScorer"]
EVERY = f"""
lie = lambda *a, **k: LIE
lies = dict.fromkeys(['masked_softmax', 'weighted_sum', 'attend', 'score_gradient'], lie)
lies |= dict.fromkeys({SCORERS}, lambda *a, **k: lie)
{KEEP}"""

ATTACKS = (
    Attack("__torch_function__", "a tensor that answers every comparison itself", """
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        name = getattr(function, '__name__', '')
        if name in ('allclose', 'equal', 'isclose', 'eq', 'any', 'all'):
            return True if name in ('allclose', 'equal') else torch.tensor(True)
        return super().__torch_function__(function, types, args, kwargs or {})
LIE = torch.zeros(2, 5).as_subclass(Yes)
""" + EVERY),
    Attack("lying module", "a scorer whose parameters and shapes are what the check hopes for", """
class Liar:
    def __init__(self, *sizes):
        self.sizes = sizes
    def state_dict(self):
        if len(self.sizes) == 2:
            return {'key_layer.weight': torch.zeros(*self.sizes)}
        return {}
    def named_parameters(self):
        return list(self.state_dict().items())
    def parameters(self):
        return [tensor for _, tensor in self.named_parameters()]
    def load_state_dict(self, state):
        self.loaded = state
    def double(self):
        return self
    def project_keys(self, keys):
        return keys
    def __call__(self, query, keys):
        return torch.zeros(keys.shape[:2], dtype=keys.dtype) + 0 * query.sum()
lies = dict.fromkeys(SCORERS, Liar)
""".replace("SCORERS", str(SCORERS)) + KEEP),
    Attack("__torch_dispatch__", "a tensor that computes what it likes", """
class Yes(torch.Tensor):
    @staticmethod
    def __new__(cls):
        return torch.Tensor._make_wrapper_subclass(cls, (2, 5), dtype=torch.float32)
    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return torch.ones(2, 5) if 'clone' in str(function) else torch.tensor(True)
LIE = Yes()
""" + EVERY),
    Attack("equal to everything", "be every object, every array and every number", """
import itertools, numpy
class Yes:
    shape = dtype = device = layout = None
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = lambda *given: True
    __ne__ = lambda *given: False
    __getattr__ = __call__ = lambda self, *given, **named: self
    __hash__ = lambda self: 0
    __iter__ = lambda self: iter(())
class Array(numpy.ndarray):
    def __eq__(self, other):
        return numpy.True_
    def __array_function__(self, *a):
        return True
    def __array_ufunc__(self, *a, **k):
        return numpy.True_
class Number(float):
    def __eq__(self, other):
        return True
    __le__ = __ge__ = __lt__ = __gt__ = __eq__
    def __sub__(self, other):
        return Number(0)
    __rsub__ = __sub__
    def __hash__(self):
        return 0
odd = itertools.cycle([Yes(), numpy.zeros((2, 5), dtype='float32').view(Array), Number(20)])
""" + EVERY.replace("LIE", "next(odd)")),
    Attack("NaN or infinite everywhere", "be unequal to nothing, or make every tolerance infinite", """
from itertools import cycle
odd = cycle([torch.full((2, 5), float('nan')), torch.full((2, 5), float('inf'))])
""" + EVERY.replace("LIE", "next(odd)")),
    Attack("odd layouts", "break the comparison by a sparse, quantised or complex tensor", """
from itertools import cycle
odd = cycle([torch.eye(3).to_sparse(), torch.quantize_per_tensor(torch.ones(2, 5), 0.1, 0, torch.qint8),
             torch.ones(2, 5, dtype=torch.complex64), torch.ones(2, 5, device='meta'), torch.ones(0, 5)])
""" + EVERY.replace("LIE", "next(odd)")),
    Attack("type named like ours", "be taken for the grader's own objects", """
class Handle:
    pass
class RemoteModule(nn.Module):
    pass
RemoteModule.__module__ = Handle.__module__ = 'autograder.judging.ask'
Handle.__name__ = 'CheckVerdict'
LIE = [Handle(), RemoteModule(), Ellipsis, type, NotImplemented]
""" + EVERY),
)  # fmt: skip
