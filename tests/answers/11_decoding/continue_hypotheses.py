"""Answers to one step of the beam."""

TASK = "continue_hypotheses"

CHOICE = "candidates.flatten(1).topk(beam_size)"


def answer(
    result: str = "totals, index // vocab_size, index % vocab_size",
    candidates: str = "alive.unsqueeze(2) + log_probabilities",
    choice: str = CHOICE,
) -> str:
    return f"""\
def continue_hypotheses(alive, log_probabilities, beam_size):
    vocab_size = log_probabilities.size(2)
    candidates = {candidates}
    totals, index = {choice}
    return {result}
"""


WRONG = [
    ("no axis", "change", answer(candidates="alive + log_probabilities")),
    ("in place", "changed_in_place", answer(candidates="log_probabilities.add_(alive.unsqueeze(2))")),
    ("averaged", "factor | change", answer("totals / 2, index // vocab_size, index % vocab_size")),
    ("beam as wide as before", "shape", answer(choice="candidates.flatten(1).topk(max(beam_size, alive.size(1)) - 1)")),
    ("totals alone", "results", answer("totals")),
    ("one child each", "values | shape | each_once | raised.RuntimeError | remembers", """\
def continue_hypotheses(alive, log_probabilities, beam_size):
    best, words = (alive[:, :, None] + log_probabilities).topk(2)
    totals, place = best.flatten(1).topk(min(beam_size, best[0].numel()))
    return totals, place // 2, words.flatten(1).gather(1, place)
"""),
]  # fmt: skip

RIGHT = [
    ("flatten and topk", answer()),
    ("divmod by torch.div",
     answer("totals, torch.div(index, vocab_size, rounding_mode='floor'), index.remainder(vocab_size)")),
    ("reshape and sort",
     answer(choice="[part[:, :beam_size] for part in candidates.reshape(len(alive), -1).sort(1, descending=True)]")),
    ("normalised once more", answer(candidates="alive.unsqueeze(2) + log_probabilities.log_softmax(-1)")),
    ("the best of each hypothesis first", """\
def continue_hypotheses(alive, log_probabilities, beam_size):
    most = min(beam_size, log_probabilities.size(2))
    best, words = log_probabilities.topk(most)
    totals, place = (alive[:, :, None] + best).flatten(1).topk(beam_size)
    return totals, place // most, words.flatten(1).gather(1, place)
"""),
    ("loop over sentences", """\
def continue_hypotheses(alive, log_probabilities, beam_size):
    found = []
    for sums, table in zip(alive.tolist(), log_probabilities.tolist()):
        candidates = [(total + log, p, w) for p, total in enumerate(sums) for w, log in enumerate(table[p])]
        found.append(sorted(candidates, reverse=True)[:beam_size])
    totals = torch.tensor([[c[0] for c in row] for row in found], dtype=alive.dtype)
    return totals, *(torch.tensor([[c[k] for c in row] for row in found]) for k in (1, 2))
"""),
]  # fmt: skip
