"""Answers to one step of the beam."""

TASK = "continue_hypotheses"

CHOICE = "candidates.flatten(1).topk(beam_size)"


def answer(
    result: str = "totals, index // vocab_size, index % vocab_size",
    candidates: str = "alive.unsqueeze(2) + log_probabilities", choice: str = CHOICE,
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
    ("beam as wide as before", "shape", answer(choice="candidates.flatten(1).topk(max(beam_size, alive.size(1)) - 1)")),
    ("totals alone", "results", answer("totals")),
]  # fmt: skip

RIGHT = [
    ("flatten and topk", answer()),
    ("divmod by torch.div",
     answer("totals, torch.div(index, vocab_size, rounding_mode='floor'), index.remainder(vocab_size)")),
    ("normalised once more", answer(candidates="alive.unsqueeze(2) + log_probabilities.log_softmax(-1)")),
]  # fmt: skip
