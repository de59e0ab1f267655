"""Answers to two alignments made one."""

TASK = "grow_diagonal"


def grow(
    near: str, free: str = "~links.any(2)[:, :, None] | ~links.any(1)[:, None]",
    new_links: str = "(forward | backward) & near & free", first: str = "forward & backward",
) -> str:
    return f"""\
def grow_diagonal(forward, backward):
    links, before = {first}, None
    while before is None or not torch.equal(links, before):
        before, wide = links, F.pad(links, (1, 1, 1, 1))
        height, width = links.shape[1:]
        near = torch.zeros_like(links)
        for x, y in {near}:
            near = near | wide[:, x : x + height, y : y + width]
        free = {free}
        links = links | ({new_links})
    return links
"""


ALL = "[(x, y) for x in range(3) for y in range(3)]"
WRONG = [
    ("only below and to the right", "values", grow("[(0, 0), (0, 1), (1, 0)]")),
    ("only words are asked", "values | change", grow(ALL, "~links.any(2)[:, :, None]")),
    ("as many rounds as words", "values | last_2",
     grow(ALL).replace("while before is None or not torch.equal(links, before):", "for _ in range(links.size(1)):")),
    ("a hundred rounds", "hidden: 100_rounds",
     grow(ALL).replace("while before is None or not torch.equal(links, before):", "for _ in range(100):")),
    ("in place", "change", grow(ALL, first="forward.logical_and_(backward)")),
]

RIGHT = [
    ("shifted tables", grow(ALL)),
    ("sets of links", """\
def grow_diagonal(forward, backward):
    result = torch.zeros_like(forward)
    for b in range(len(forward)):
        links = {tuple(link) for link in (forward[b] & backward[b]).nonzero().tolist()}
        either = {tuple(link) for link in (forward[b] | backward[b]).nonzero().tolist()}
        while True:
            words, tokens = {t for t, _ in links}, {j for _, j in links}
            touched = {(t + x, j + y) for t, j in links for x in (-1, 0, 1) for y in (-1, 0, 1)}
            more = {(t, j) for t, j in (either & touched) - links if t not in words or j not in tokens}
            if not more:
                break
            links |= more
        for t, j in links:
            result[b, t, j] = True
    return result
"""),
    ("convolution, a fixed number of rounds", """\
def grow_diagonal(forward, backward):
    links = forward & backward
    for _ in range(forward.size(1) * forward.size(2)):
        near = F.conv2d(links.float().unsqueeze(1), torch.ones(1, 1, 3, 3), padding=1).squeeze(1) > 0.5
        taken = links.any(2, keepdim=True).logical_and(links.any(1, keepdim=True))
        links = links | ((forward | backward) & near & ~taken)
    return links
"""),
]
