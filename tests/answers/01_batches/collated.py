"""Answers to a whole batch: both sides padded first, and the target shifted as a tensor, or all of it in lists."""

TASK = "collated"

PADDED = "pad_sequence([torch.tensor(ids, dtype=torch.long) for ids in {side}], batch_first=True)"
READ = "target_in = F.pad(target, (1, 0), value=BOS)"
SAY = "target_out = F.pad(target, (0, 1), value=PAD).scatter(1, lengths.unsqueeze(1), EOS)"
RETURN = "return source, source != PAD, target_in, target_out, target_out != PAD"
GUARD = "if min(map(len, sources)) == 0: raise ValueError"


def collated(*lines: str, guard: str = GUARD, source: str = PADDED.format(side="sources")) -> str:
    body = [
        "from torch.nn.utils.rnn import pad_sequence", guard,
        f"source, target = {source}, {PADDED.format(side='targets')}",
        "lengths = torch.tensor([len(ids) for ids in targets])", *lines,
    ]
    return "def collated(sources, targets):\n" + "".join(f"    {line}\n" for line in body)


PLACE = "place = (lengths + 1).clamp(max=target.size(1)).unsqueeze(1)"
IN_LISTS = """\
def collated(sources, targets):
    if [] in sources:
        raise ValueError("no token")
    fill = lambda row, width: list(row) + [PAD] * (width - len(row))
    width, steps = max(map(len, sources)), max(map(len, targets)) + 1
    sides = [[fill(ids, width) for ids in sources]]
    sides.append([[place < len(ids) for place in range(width)] for ids in sources])
    sides.append([fill([BOS, *ids], steps) for ids in targets])
    sides.append([fill([*ids, EOS], steps) for ids in targets])
    sides.append([[place <= len(ids) for place in range(steps)] for ids in targets])
    return tuple(map(torch.tensor, sides))
"""

WRONG = [
    ("the mask from the words' ids", "values", collated(
        READ, SAY, "return source, source > 3, target_in, target_out, (target_out > 3) | (target_out == EOS)")),
    ("EOS is read too, in the longest over its last word", "eos_read",
     collated(SAY, READ, PLACE, "target_in = target_in.scatter(1, place, EOS)", RETURN)),
    ("ids of 32 bits", "values", collated(READ, SAY, "target_in = target_in.int()", RETURN)),
    ("what is said is read too, without the shift", "another_result", collated(SAY, "target_in = target_out", RETURN)),
    ("torch's own error", "hidden: error_wrong",
     collated(READ, SAY, RETURN, guard="sources[0][0], [ids[0] for ids in sources]")),
    ("marks added to the arguments", "changed_in_place", collated("for ids in targets: ids.append(EOS)", READ,
     f"target_out = {PADDED.format(side='targets')}", RETURN)),
]  # fmt: skip

RIGHT = [
    ("padded, then shifted", collated(READ, SAY, RETURN)),
    ("where", collated(READ, "places = torch.arange(target.size(1) + 1)",
     "target_out = torch.where(places == lengths.unsqueeze(1), EOS, F.pad(target, (0, 1)))",
     RETURN.replace("return ", "return [").replace("target_out != PAD", "places <= lengths[:, None]]"))),
    ("all in lists", IN_LISTS),
]  # fmt: skip
