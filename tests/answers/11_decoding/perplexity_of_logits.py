"""Answers to the perplexity of a batch."""

TASK = "perplexity_of_logits"

WORDS = "logs.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)"


def answer(result: str, logs: str = "F.log_softmax(logits, dim=-1)", words: str = WORDS) -> str:
    return f"""\
def perplexity_of_logits(logits, target_out, target_mask):
    logs = {logs}
    words = {words}
    return {result}
"""


RESULT = "(-words[target_mask].mean()).exp()"

WRONG = [
    ("overflow", "not_finite", answer(RESULT, "logits.exp().div(logits.exp().sum(-1, keepdim=True)).log()")),
    ("per word", "change", answer("(-words[target_mask]).exp()")),
    ("in place", "changed_in_place", answer(RESULT, "logits.sub_(logits.logsumexp(-1, keepdim=True))")),
    ("EOS not counted", "values | factor | no_eos", answer("(-words[target_mask & (target_out != EOS)].mean()).exp()")),
]

RIGHT = [
    ("gather", answer(RESULT)),
    ("sum over the mask", answer("torch.exp(-(words * target_mask).sum() / target_mask.sum())")),
    ("one-hot", answer(RESULT, words="(logs * F.one_hot(target_out, logs.size(-1))).sum(-1)")),
]  # fmt: skip
