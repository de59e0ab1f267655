"""Cunning answers: they keep to the rules of Python and the wire, and to no other."""

from attacks.notebooks import KEEP, Attack

ZEROS = """
def zeroed(*given):
    with torch.no_grad():
        for one in given:
            one.zero_() if one.is_floating_point() else one.fill_(False)
lies = dict(
    weighted_sum=lambda w, v: (zeroed(w, v), v[:, 0] * w[:, :1])[1],
    score_gradient=lambda w, v, g: (zeroed(w, v, g), w)[1],
    masked_softmax=lambda s, m, t=1.0: (zeroed(s, m), s)[1],
    attend=lambda s, v, m: (zeroed(s, v, m), (v[:, 0], s))[1],
)
""" + KEEP  # fmt: skip


def half_right(name: str, wants: str, body: str, points: float = 19) -> Attack:
    """The dot scorer: right values without gradients, and ``body`` where gradients are asked for."""
    source = f"""
class DotScorer(Scorer):
    def score(self, query, projected_keys):
        if not torch.is_grad_enabled():
            return (projected_keys @ query[..., None]).squeeze(-1)
{body}
"""
    return Attack(name, wants, source, "dot_scorer", True, points=points)


ATTACKS = (
    Attack("zeros in, zeros out", "have the reference see the same zeros", ZEROS),
    half_right("zeros where gradients flow", "have the reference's gradients be zero too", """
        query.data.zero_()
        projected_keys.data.zero_()
        return projected_keys.sum(-1) * 0 + 0 * query.sum()
""", points=18),
    half_right("other values where gradients flow", "pass the gradient checks by values that nobody compares",
               "        return (projected_keys * query[:, None].detach()).sum(-1) * 2", points=18),
    Attack("parts of nothing", "have attend agree with parts that return nothing but zeros", """
lies = dict(
    weighted_sum=lambda w, v: v[:, 0] * 0,
    masked_softmax=lambda s, m, t=1.0: s * 0,
    attend=lambda s, v, m: (v[:, 0] * 0, s * 0),
)
""" + KEEP),
    Attack("arguments of another size and dtype", "give its arguments another size, or another dtype", """
lies = dict(
    weighted_sum=lambda w, v: (w.detach().resize_(0), setattr(v, 'data', v.data.half()), v[:, 0])[2],
    masked_softmax=lambda s, m, t=1.0: (setattr(s, 'data', s.data[:1].bfloat16()), s)[1],
)
""" + KEEP),
    Attack("state between calls", "remember the arguments of one call and answer the next with them", """
seen = []
def remember(*given):
    seen.extend(one.clone() for one in given)
    return next((one for one in seen[-9:] if one.shape == given[0].shape), given[0])
lies = dict(masked_softmax=lambda s, m, t=1.0: remember(s), score_gradient=lambda w, v, g: remember(w),
            weighted_sum=lambda w, v: remember(v[:, 0]))
""" + KEEP),
    Attack("right once", "answer the first call rightly and no other", """
calls = 0
def weighted_sum(weights, values):
    global calls
    calls += 1
    return (weights[:, None] @ values).squeeze(1) if calls == 1 else values[:, 0]
""", place="weighted_sum", rich=True, points=16),  # attend calls it
    Attack("knows when it is graded", "show the learner's mistakes to the learner alone", """
import os, sys
graded = os.path.exists('/course') or 'autograder.sandbox.answers' in sys.modules or os.getuid() == 65534
print('graded:', graded)
lies = dict(masked_softmax=lambda s, m, t=1.0: torch.tensor(True) if graded else s)
""" + KEEP),
    Attack("its arguments for answers", "return what it was given, so that both sides hold one object", """
lies = dict(weighted_sum=lambda w, v: v.mul_(0)[:, 0], masked_softmax=lambda s, m, t=1.0: s,
            score_gradient=lambda w, v, g: w, attend=lambda s, v, m: (v, s))
""" + KEEP),
    Attack("a change that nobody is shown", "change its argument and show the observer the old value", """
import sys
old = {}
def shown(value):
    return next((before for one, before in old.values() if one is value), value)
for module in list(sys.modules.values()):
    if module.__name__.startswith('autograder.') and hasattr(module, 'plain'):
        module.plain = (lambda plain: lambda value, *more: plain(shown(value), *more))(module.plain)
class DotScorer(Scorer):
    def score(self, query, projected_keys):
        scores = (projected_keys @ query.clone().unsqueeze(-1)).squeeze(-1)
        old[id(query)] = (query, query.detach().clone())
        query.data.add_(1)
        return scores
""", place="dot_scorer", rich=True, points=18),
    Attack("weights of its own", "change the parameters that the check has loaded", """
class BilinearScorer(Scorer):
    def __init__(self, query_size, key_size):
        super().__init__()
        self.key_layer = nn.Linear(key_size, query_size, bias=False)
    def project_keys(self, keys):
        self.key_layer.weight.data.zero_()
        return self.key_layer(keys)
    def score(self, query, projected_keys):
        self.key_layer.weight.data.zero_()
        return projected_keys[..., 0] * 0
""", place="bilinear_scorer", rich=True, points=18),
)  # fmt: skip
