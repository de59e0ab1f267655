"""Answers to the perplexity of a batch."""

TASK, CHECKS, PARTS = "perplexity_of_logits", "perplexity", ("perplexity_of_logits",)

LOGS = "F.log_softmax(logits, dim=-1)"


def answer(result: str, logs: str = LOGS, words: str = "logs.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)") -> str:
    return f"""\
def perplexity_of_logits(logits, target_out, target_mask):
    logs = {logs}
    words = {words}
    return {result}
"""


RESULT = "(-words[target_mask].mean()).exp()"

WRONG = [
    ("padding averaged", "visible", "padding is averaged along", answer("(-words.mean()).exp()")),
    (
        "padding counted",
        "visible",
        "counted with the words",
        answer("(-(words * target_mask).mean()).exp()"),
    ),
    (
        "padding in the sum",
        "visible",
        "padding is in the sum",
        answer("(-words.sum() / target_mask.sum()).exp()"),
    ),
    ("polarity", "visible", "the mask is turned round", answer("(-words[~target_mask].mean()).exp()")),
    (
        "perplexities averaged",
        "visible",
        "the perplexities of the sentences are averaged",
        answer("(-(words * target_mask).sum(1) / target_mask.sum(1)).exp().mean()"),
    ),
    (
        "sentences averaged",
        "visible",
        "each sentence is averaged first",
        answer("(-(words * target_mask).sum(1) / target_mask.sum(1)).mean().exp()"),
    ),
    ("no exp", "visible", "the exp is missing", answer("-words[target_mask].mean()")),
    (
        "sum",
        "visible",
        ("perplexity", "not divided by the number of words"),
        answer("(-words[target_mask].sum()).exp()"),
    ),
    (
        "per sentence",
        "visible",
        "by the number of sentences",
        answer("(-words[target_mask].sum() / len(logits)).exp()"),
    ),
    ("sign", "visible", "the sign is wrong", answer("words[target_mask].mean().exp()")),
    ("base 2", "visible", "2 is raised to a mean of natural", answer("2 ** -words[target_mask].mean()")),
    ("no softmax", "visible", "a softmax is missing", answer(RESULT, "logits")),
    (
        "softmax over steps",
        "visible",
        "the softmax runs over the axis `target_len`",
        answer(RESULT, "logits.log_softmax(1)"),
    ),
    (
        "softmax over the batch",
        "visible",
        "the softmax runs over the axis `batch`",
        answer(RESULT, "logits.log_softmax(0)"),
    ),
    (
        "inverse averaged",
        "visible",
        "the inverse probabilities are averaged",
        answer("(-words[target_mask]).exp().mean()"),
    ),
    (
        "probabilities averaged",
        "visible",
        "the inverse of the mean probability",
        answer("1 / words[target_mask].exp().mean()"),
    ),
    ("most likely word", "visible", "the most likely word", answer(RESULT, words="logs.amax(-1)")),
    ("EOS left out", "visible", "EOS, is left out", answer("(-words[:, :-1][target_mask[:, 1:]].mean()).exp()")),
    (
        "moved by one",
        "visible",
        "moved by one",
        answer(
            "(-words[target_mask[:, 1:]].mean()).exp()",
            words="logs[:, :-1].gather(-1, target_out[:, 1:].unsqueeze(-1)).squeeze(-1)",
        ),
    ),
    ("sentence 0", "visible", "only sentence 0", answer("(-words[0][target_mask[0]].mean()).exp()")),
    (
        "log of softmax",
        "hidden",
        "log 0",
        answer(RESULT, "(logits - 200 + 200).exp().div(logits.exp().sum(-1, keepdim=True)).log()"),
    ),
    ("per word", "visible", "one number for the whole batch", answer("(-words[target_mask]).exp()")),
    ("no return", "visible", "is the `return` missing?", answer(RESULT).replace("return", "result =")),
    (
        "in place",
        "visible",
        ("logits", "changed in place"),
        answer(RESULT, "logits.sub_(logits.logsumexp(-1, keepdim=True))"),
    ),
]

RIGHT = [
    ("gather", answer(RESULT)),
    (
        "cross entropy",
        "def perplexity_of_logits(logits, target_out, target_mask):\n"
        "    return F.cross_entropy(logits[target_mask], target_out[target_mask]).exp()\n",
    ),
    (
        "cross entropy that ignores padding",
        "def perplexity_of_logits(logits, target_out, target_mask):\n"
        "    return F.cross_entropy(logits.transpose(1, 2), target_out, ignore_index=PAD).exp()\n",
    ),
    ("sum over the mask", answer("torch.exp(-(words * target_mask).sum() / target_mask.sum())")),
    (
        "loop, and a plain number",
        """\
def perplexity_of_logits(logits, target_out, target_mask):
    total, count = 0.0, 0
    for row, targets, mask in zip(logits.log_softmax(-1), target_out, target_mask):
        for step, target, real in zip(row, targets, mask):
            if real:
                total -= float(step[target])
                count += 1
    return 2.718281828459045 ** (total / count)
""",
    ),
    ("one-hot", answer(RESULT, words="(logs * F.one_hot(target_out, logs.size(-1))).sum(-1)")),
]
