"""Answers to the model that misleads a beam of two."""

TASK = "lured"


def model(a: str = "0.55", ends: str = "4", first: str = "0.6") -> str:
    """Certain words for a while, then as many ends as ``ends``."""
    return f"""\
def lured():
    shares = {{"<bos>": {{"a": {first}, "b": 1 - {first}}}, "a": {{"c": {a}, "d": 1 - {a}}}}}
    shares |= {{"b": {{"e": 0.5, "f": 0.5}}, "c": {{"<eos>": 1}}, "d": {{"<eos>": 1}}, "e": {{}}, "f": {{}}}}
    for end in range({ends}):
        shares["e"][str(end)] = shares["f"][str(end)] = 1 / {ends}
        shares[str(end)] = {{"<eos>": 1}}
    return shares
"""


CHAIN = """\
def lured():
    rows = {"<bos>": {"A": 0.52, "B": 0.48}, "A": {"C": 0.3, "D": 0.25, "E": 0.25, "F": 0.2}, "B": {"G": %s, "H": %s}}
    rows.update({word: {"<eos>": 1.0} for word in "CDEF"})
    rows.update({word: {name: 0.25 for name in "IJKL"} for word in "GH"})
    return rows | {word: {"<eos>": 1.0} for word in "IJKL"}
"""

WRONG = [
    ("a single end", "same | values | beam_wins | too_little", model(ends="1")),
    ("greedy holds its place", "same", model("0.9", first="0.9")), ("no end", "no_row | sum", CHAIN % (0.5, 0.4)),
    ("a list", "kind", "def lured():\n    return [['a', 1.0]]\n"),
]

RIGHT = [
    ("many ends", CHAIN % (0.5, 0.5)), ("unequal children", CHAIN % (0.55, 0.45)),
    ("numbers among the words", CHAIN.replace('"IJKL"', "(1, 2, 3, 4)") % (0.5, 0.5)),
    ("the given words", """\
def lured():
    return {
        "<bos>": {"le": 0.5, "la": 0.45, "dort": 0.05},
        "le": {"chat": 0.4, "noir": 0.35, "dort": 0.25},
        "la": {"chatte": 0.5, "dame": 0.5},
        "chatte": {"dort": 0.3, "noir": 0.3, "chat": 0.2, "le": 0.2},
        "dame": {"dort": 0.3, "noir": 0.3, "chat": 0.2, "le": 0.2},
        **{word: {"<eos>": 1.0} for word in ("chat", "noir", "dort")},
    }
"""),
]  # fmt: skip
