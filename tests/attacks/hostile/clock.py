"""Time: what never ends costs its own points alone."""

from attacks.notebooks import Attack

SCALED = "scaled_dot_scorer"
SCORER = """
class ScaledDotScorer(Scorer):
    def score(self, query, projected_keys):
"""

ATTACKS = (
    Attack("sleep", "hold up the batch", "import time\ntime.sleep(10**6)", rich=True, status="timeout"),
    Attack("loop in an answer", "hold up the check that calls it", SCORER + "        while True:\n            pass",
           place=SCALED, rich=True, points=18, status="timeout"),
    Attack("loop", "hold up the batch", "while True:\n    pass", rich=True, status="timeout"),
    Attack("loop in C", "hold up the batch where no signal is seen", "10**10**10", rich=True, status="timeout"),
    Attack("loop in a backward pass", "hold up the check when it asks for gradients", """
class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        while True:
            pass
""" + SCORER + "        return Slow.apply((projected_keys @ query[..., None]).squeeze(-1) / math.sqrt(query.size(-1)))",
           place=SCALED, rich=True, points=18, status="timeout"),
    Attack("loop in what is returned", "hold up the wire while the result is written", """
class Slow(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        while True:
            pass
""" + SCORER + "        return torch.zeros(2).as_subclass(Slow)", place=SCALED, rich=True, points=18, status="timeout"),
    Attack("loop in a destructor", "hold up the process at its end",
           "class Slow:\n    def __del__(self):\n        while True:\n            pass\nslow = Slow()\ndel slow",
           rich=True, status="timeout"),
)  # fmt: skip
