"""Answers to the whole search."""

TASK = "beam_search"


def listed(
    next: str = "log_table[words[-2], words[-1]].tolist()", ends: str = "words[-1] == EOS or length == longest",
    stop: str = "not beam or best[0] >= beam[0][0] / ((5 + longest) / 6) ** alpha",
    best: str = "max(best, (total / ((5 + length) / 6) ** alpha, words[2:]))",
) -> str:
    return f"""\
def beam_search(log_table, beam_size, longest, alpha):
    beam, best, places = [(0.0, [BOS, BOS])], (-math.inf, []), beam_size
    for length in range(1, longest + 1):
        found = []
        for total, words in beam:
            for token, log in enumerate({next}):
                if log != -math.inf:
                    found.append((total + log, words + [token]))
        found.sort(reverse=True)
        beam = []
        for total, words in found[:places]:
            if {ends}:
                best = {best}
                places -= 1
            else:
                beam.append((total, words))
        if {stop}:
            break
    return best[1], best[0], length
"""


def in_parts(
    moved: str = "earlier.gather(1, parents)", places: str = "int((finished > -torch.inf).sum())",
    bound: str = "alive.max() / lp(longest)",
) -> str:
    """Of the learner's own parts, with a record that is traced back."""
    return f"""\
def beam_search(log_table, beam_size, longest, alpha):
    def lp(n):
        return ((5 + n) / 6) ** alpha

    alive, width, steps = log_table.new_zeros(1, 1), beam_size, []
    earlier = previous = torch.full((1, 1), BOS)
    for length in range(1, longest + 1):
        logs = log_table[earlier, previous]
        count = min(width, logs[0].numel())
        totals, parents, tokens = continue_hypotheses(alive, logs, count)
        earlier = previous
        earlier, previous = {moved}, tokens
        alive, finished = set_finished_aside(totals, tokens, length == longest)
        spare = (0, beam_size - count)
        scores = F.pad(finished / lp(length), spare, value=-torch.inf)
        steps.append((F.pad(tokens, spare), F.pad(parents, spare), scores))
        width -= {places}
        best = torch.stack([part[2] for part in steps]).max()
        if width <= 0 or {bound} <= best:
            break
    tokens, parents, scores = (torch.stack(parts) for parts in zip(*steps))
    at = scores.flatten().argmax().view(1)
    last, place = at // beam_size, at % beam_size
    ids = trace_back(tokens, parents, last, place)[0, : int(last) + 1]
    return ids, scores.flatten()[at][0], length
"""


WRONG = [
    ("places for ever", "not_given_up", in_parts(places="0")),
    ("as wide as the vocabulary", "hidden: values | length",
     listed().replace("found[:places]", "found[: min(places, len(log_table))]")),
    ("stops with the top", "values | first_end | present | change", listed(stop="not beam or found[0][1][-1] == EOS")),
    ("only the word before", "one_back", listed("log_table[BOS, words[-1]].tolist()")),
    ("without the score", "results", listed().replace("return best[1], best[0], length", "return best[1], length")),
]  # fmt: skip

RIGHT = [
    ("lists", listed()), ("in parts", in_parts()),
    ("normalised once more", in_parts().replace("[earlier, previous]", "[earlier, previous].log_softmax(-1)", 1)),
    ("the table as lists",
     listed("table[words[-2]][words[-1]]").replace("    beam,", "    table = log_table.tolist()\n    beam,")),
]  # fmt: skip
