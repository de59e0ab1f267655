"""Answers to the hard alignment."""

TASK = "hard_alignment"

BEST = "best = weights.masked_fill(~source_mask.unsqueeze(1), -1.0).argmax(-1)"


def align(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def hard_alignment(weights: Tensor, source_mask: Tensor, shift: int = 0) -> Tensor:\n{body}"


SLICES = (BEST, "words = torch.full_like(best, -1)", "if shift < 0:", "    words[:, :shift] = best[:, -shift:]",
          "elif shift > 0:", "    words[:, shift:] = best[:, :-shift]", "else:", "    words = best")
WRONG = [
    ("argmax over the steps", "shape", align("return weights.masked_fill(~source_mask.unsqueeze(1), -1.0).argmax(1)")),
    ("in place", "changed_in_place",
     align("best = weights.masked_fill_(~source_mask.unsqueeze(1), -1.0).argmax(-1)", *SLICES[1:], "return words")),
    ("slices that wrap", "hidden: shift_unused | edge_repeats | values",
     align(*SLICES, "return words if abs(shift) < best.size(1) else best")),
    ("weights raised by 1", "hidden: raised",
     align("best = torch.where(source_mask[:, None], 2 + weights, 0).max(2).indices", *SLICES[1:], "return words")),
    ("in float32", "hidden: dtype | single_precision | values",
     align("best = torch.where(source_mask[:, None], weights.float(), -1).argmax(2)", *SLICES[1:], "return words")),
    ("another default", "shifted_1_early", align(*SLICES, "return words").replace("shift: int = 0", "shift: int = -1")),
    ("a product with the mask", "hidden: times_mask",
     align("best = (weights * source_mask.unsqueeze(1)).argmax(-1)", *SLICES[1:], "return words")),
]

RIGHT = [
    ("slices", align(*SLICES, "return words")),
    ("loop",
        align("batch, count, _ = weights.shape", "found = torch.full((batch, count), -1)", "for row in range(batch):",
              "    places = source_mask[row].nonzero().flatten()", "    for step in range(count):",
              "        if 0 <= step + shift < count:",
              "            found[row, step + shift] = places[weights[row, step, places].argmax()]", "return found")),
    ("pad and cut, in int32",
        align("best = torch.where(source_mask[:, None], weights, -torch.inf).argmax(-1)",
              "wide = F.pad(best, (abs(shift), abs(shift)), value=-1)", "start = abs(shift) - shift",
              "return wide[:, start : start + best.size(1)].int()")),
]
