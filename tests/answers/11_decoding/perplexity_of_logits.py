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
    ("polarity", "change | values | not_finite", answer("(-words[~target_mask].mean()).exp()")),
    ("per word", "change", answer("(-words[target_mask]).exp()")),
    ("in place", "changed_in_place", answer(RESULT, "logits.sub_(logits.logsumexp(-1, keepdim=True))")),
    ("EOS not counted", "values | factor | no_eos", answer("(-words[target_mask & (target_out != EOS)].mean()).exp()")),
    ("sign", "inverse | change", answer("words[target_mask].mean().exp()")),
]

RIGHT = [
    ("gather", answer(RESULT)),
    ("cross entropy that ignores padding", """\
def perplexity_of_logits(logits, target_out, target_mask):
    return F.cross_entropy(logits.transpose(1, 2), target_out, ignore_index=PAD).exp()
"""),
    ("sum over the mask", answer("torch.exp(-(words * target_mask).sum() / target_mask.sum())")),
    ("one-hot", answer(RESULT, words="(logs * F.one_hot(target_out, logs.size(-1))).sum(-1)")),
    ("loop, and a plain number", """\
def perplexity_of_logits(logits, target_out, target_mask):
    total, count = 0.0, 0
    for row, targets, mask in zip(logits.log_softmax(-1), target_out, target_mask):
        for step, target, real in zip(row, targets, mask):
            if real:
                total -= float(step[target])
                count += 1
    return 2.718281828459045 ** (total / count)
"""),
]  # fmt: skip
