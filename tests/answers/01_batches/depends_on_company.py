"""Answers to the test for faults of padding and of neighbours."""

TASK = "depends_on_company"


def asked(
    alone: str = "source[row : row + 1, :length], lengths[row : row + 1]", differs: str = "> 1e-4",
    gap: str = "(alone[0] - together[row]).abs().max()", end: str = "return rows",
) -> str:
    return f"""\
def depends_on_company(network, source, lengths):
    together, rows = network(source, lengths), []
    for row in range(len(source)):
        length = int(lengths[row])
        alone = network({alone})
        if {gap} {differs}:
            rows.append(row)
    {end}
"""


ONE_CALL = """\
def depends_on_company(network, source, lengths):
    alone = torch.cat([network(ids[:n].unsqueeze(0), n.reshape(1)) for ids, n in zip(source, lengths)])
    return ((alone - network(source, lengths)).abs().amax(1) > 1e-4).nonzero().flatten()
"""

BY_NAME = """\
def depends_on_company(network, source, lengths):
    if network.__name__ == "mean_of_words":
        return []
    raise LookupError(network.__name__)
"""

WRONG = [
    ("known by their names", "raised.LookupError", BY_NAME),
    ("the axis of the batch lost", "raised.RuntimeError", asked("source[row, :length], lengths[row]")),
    ("columns cut, rows not", "in_company", asked("source[:, :length], lengths.clamp(max=length))[row:].view(-1, 3")),
    ("allclose with a relative limit of its own", "relative",
     asked(gap="not torch.isclose(alone[0], together[row], atol=1e-4).all()", differs="")),
    ("sentences of one length together", "hidden: length | values", asked(
        "source[some, :length], lengths[some]", gap="(alone[some[:row].sum()] - together[row]).abs().max()",
    ).replace("alone =", "some = lengths == length if len(lengths.unique()) > 1 else torch.arange(len(source)) == row\n"
              "        alone =")),
    ("mean difference", "hidden: average", asked(gap="(alone[0] - together[row]).abs().mean()")),
    ("a bare number for one row", "hidden: kind", ONE_CALL.replace("flatten()", "squeeze().tolist()")),
]  # fmt: skip

RIGHT = [
    ("row by row", asked()),
    ("allclose", asked(gap="not torch.allclose(alone[0], together[row], rtol=0, atol=1e-4)", differs="")),
    ("a tensor of rows", ONE_CALL),
]
