"""Answers to the loss of a batch."""

TASK = "batch_loss"


def loss(step: str, end: str, begin: str = "terms = []") -> str:
    return f"""\
def batch_loss(translator, source, source_mask, target):
    memory, state = translator.read(source, source_mask)
    inputs = F.pad(target, (1, 0), value=BOS)[:, :-1]
    real = target != PAD
    {begin}
    for i in range(target.size(1)):
        logits, _, state = translator.step(inputs[:, i], state, memory)
        {step}
    return {end}
"""


LOG = "terms.append(-logits.log_softmax(-1).gather(1, target[:, i : i + 1]).squeeze(1) * real[:, i])"
TOTAL = "torch.stack(terms).sum() / real.sum()"
TABLE = "F.cross_entropy(torch.stack(terms, 1).flatten(0, 1), target.flatten(), ignore_index=PAD)"

WRONG = [
    ("words counted by their loss", "hidden: values",
     loss(LOG, "torch.stack(terms).sum() / (torch.stack(terms) > 0).sum()")),
    ("log of the softmax", "hidden: not_finite", loss(LOG.replace("log_softmax(-1)", "softmax(-1).log()"), TOTAL)),
    ("probabilities", "values", loss(LOG.replace("log_softmax", "softmax"), TOTAL)),
    ("a number without a graph", "no_gradient", loss(LOG, f"torch.tensor(float({TOTAL}))")),
    ("no gradient through a state eight words old", "hidden: values",
     loss(LOG, TOTAL, "terms = []").replace(
         "state, memory)", "state.detach() if i % 8 == 7 else state, memory)")),
    ("inputs not shifted", "hears_answer", loss(LOG, TOTAL, "terms, inputs = [], target")),
]

RIGHT = [
    ("logarithms gathered", loss(LOG, TOTAL)), ("all logits at once", loss("terms.append(logits)", TABLE)),
    ("only the sentences that still speak",
        loss("terms.append(F.cross_entropy(logits[real[:, i]], target[real[:, i], i], reduction='none'))",
             "torch.cat(terms).mean()")),
]
