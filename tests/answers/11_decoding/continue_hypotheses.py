"""Answers to one step of the beam."""

TASK, CHECKS, PARTS = "continue_hypotheses", "continuations", ("continue_hypotheses",)

CANDIDATES = "alive.unsqueeze(2) + log_probabilities"
CHOICE = "candidates.flatten(1).topk(beam_size)"


def answer(
    result: str = "totals, index // vocab_size, index % vocab_size",
    candidates: str = CANDIDATES,
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
    ("past forgotten", "visible", "what came before is forgotten", answer(candidates="log_probabilities")),
    (
        "multiplied",
        "visible",
        "the logarithms are multiplied",
        answer(candidates="alive.unsqueeze(2) * log_probabilities"),
    ),
    (
        "worst",
        "visible",
        "the worst candidates",
        answer(choice="candidates.flatten(1).topk(beam_size, largest=False)"),
    ),
    ("swapped", "visible", "opposite order", answer("totals, index % vocab_size, index // vocab_size")),
    ("by the beam", "visible", "divided by the beam's size", answer("totals, index // beam_size, index % beam_size")),
    (
        "by the width",
        "visible",
        "divided by the width",
        answer("totals, index // alive.size(1), index % alive.size(1)"),
    ),
    (
        "two divisors",
        "visible",
        "different divisors",
        answer("totals, index // vocab_size, index % alive.size(1)"),
    ),
    (
        "tokens not reduced",
        "visible",
        "the tokens are numbers of candidates",
        answer("totals, index // vocab_size, index"),
    ),
    (
        "parents not reduced",
        "visible",
        "the parents are numbers of candidates",
        answer("totals, index, index % vocab_size"),
    ),
    (
        "parents of the batch",
        "visible",
        "counted through the batch",
        answer(
            "totals, index // vocab_size + alive.size(1) * torch.arange(len(alive)).unsqueeze(1), index % vocab_size"
        ),
    ),
    (
        "float parents",
        "visible",
        ("parents", "the division has to be `//`"),
        answer("totals, index / vocab_size, index % vocab_size"),
    ),
    (
        "probabilities",
        "visible",
        "the totals are probabilities",
        answer("totals.exp(), index // vocab_size, index % vocab_size"),
    ),
    (
        "own words",
        "visible",
        "the words' own log-probabilities",
        answer("log_probabilities.flatten(1).gather(1, index), index // vocab_size, index % vocab_size"),
    ),
    ("averaged", "visible", "averaged over two terms", answer("totals / 2, index // vocab_size, index % vocab_size")),
    (
        "sentence 0",
        "visible",
        "sentence 0 are continued",
        answer(candidates="alive[:1].unsqueeze(2) + log_probabilities"),
    ),
    (
        "only the best",
        "visible",
        "only the best hypothesis is continued",
        answer("totals, torch.zeros_like(index), index", choice="candidates[:, 0].topk(beam_size)"),
    ),
    (
        "each its own word",
        "visible",
        "each hypothesis is continued once",
        answer("totals, torch.arange(alive.size(1)).expand_as(index), index", choice="candidates.max(-1)"),
    ),
    (
        "a beam each",
        "visible",
        "each hypothesis has a beam of its own",
        answer("totals, index // vocab_size, index", choice="candidates.topk(beam_size)"),
    ),
    (
        "across the batch",
        "visible",
        "the sentences of the batch compete",
        answer(choice="candidates.flatten().topk(beam_size)"),
    ),
    (
        "turned",
        "visible",
        "the table was turned",
        answer(choice="candidates.transpose(1, 2).flatten(1).topk(beam_size)"),
    ),
    (
        "no axis",
        "visible",
        ("raised", "at your line"),
        answer(candidates="alive + log_probabilities"),
    ),
    (
        "not sorted",
        "visible",
        "the best first",
        answer("totals.flip(1), (index // vocab_size).flip(1), (index % vocab_size).flip(1)"),
    ),
    (
        "in place",
        "visible",
        ("log_probabilities", "changed in place"),
        answer(candidates="log_probabilities.add_(alive.unsqueeze(2))"),
    ),
    (
        "parent 0",
        "visible",
        "the parent is 0 for all",
        answer("totals, torch.zeros_like(index), index % vocab_size"),
    ),
    (
        "own bests meet",
        "hidden",
        "belong to other candidates than the best",
        answer(
            "totals, place // k, words.flatten(1).gather(1, place)",
            choice="None, None\n"
            "    k = max(1, min(beam_size, vocab_size) - 1)\n"
            "    tops, words = candidates.topk(k)\n"
            "    if tops.flatten(1).size(1) < beam_size: k = vocab_size; tops, words = candidates.topk(k)\n"
            "    totals, place = tops.flatten(1).topk(beam_size)",
        ),
    ),
    (
        "beam as wide as before",
        "visible",
        "shape",
        answer(choice="candidates.flatten(1).topk(beam_size if alive.size(1) == 1 else alive.size(1))"),
    ),
    ("no return", "visible", "is the `return` missing?", answer().replace("return", "result =")),
    ("totals alone", "visible", "three tensors", answer("totals")),
]

RIGHT = [
    ("flatten and topk", answer()),
    (
        "divmod by torch.div",
        answer("totals, torch.div(index, vocab_size, rounding_mode='floor'), index.remainder(vocab_size)"),
    ),
    (
        "reshape and sort",
        answer(choice="[part[:, :beam_size] for part in candidates.reshape(len(alive), -1).sort(1, descending=True)]"),
    ),
    (
        "the best of each hypothesis first",
        """\
def continue_hypotheses(alive, log_probabilities, beam_size):
    most = min(beam_size, log_probabilities.size(2))
    best, words = log_probabilities.topk(most)
    totals, place = (alive[:, :, None] + best).flatten(1).topk(beam_size)
    return totals, place // most, words.flatten(1).gather(1, place)
""",
    ),
    (
        "loop over sentences",
        """\
def continue_hypotheses(alive, log_probabilities, beam_size):
    found = []
    for sums, table in zip(alive, log_probabilities):
        candidates = [
            (float(sums[place] + table[place, word]), place, word)
            for place in range(len(sums))
            for word in range(table.size(1))
        ]
        found.append(sorted(candidates, reverse=True)[:beam_size])
    totals = torch.tensor([[c[0] for c in row] for row in found], dtype=alive.dtype)
    return totals, *(torch.tensor([[c[k] for c in row] for row in found]) for k in (1, 2))
""",
    ),
]
