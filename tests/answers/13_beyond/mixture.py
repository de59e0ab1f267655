"""Answers to the mixture of generating and copying."""

TASK, CHECKS, PARTS = "mixture", "mixture", ("mixture",)

GATE = "gate = generate.unsqueeze(-1)"
PAD = "known = F.pad(generated, (0, copied.size(-1) - generated.size(-1)))"


def mix(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def mixture(generated: Tensor, copied: Tensor, generate: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("gate turned", "visible", "the gate is turned round", mix(GATE, PAD, "return (1 - gate) * known + gate * copied")),
    ("no gate", "visible", "both distributions are added whole", mix(PAD, "return known + copied")),
    ("half and half", "visible", "both distributions count half", mix(PAD, "return (known + copied) / 2")),
    ("one gate", "visible", "only the generated half is gated", mix(GATE, PAD, "return gate * known + copied")),
    (
        "the gate for both",
        "visible",
        "the gate multiplies both halves",
        mix(GATE, PAD, "return gate * (known + copied)"),
    ),
    (
        "only generated",
        "visible",
        "copying is missing",
        mix(GATE, PAD, "return gate * known"),
    ),
    (
        "padded in front",
        "visible",
        "unknown words are put in front",
        mix(
            GATE,
            "known = F.pad(generated, (copied.size(-1) - generated.size(-1), 0))",
            "return gate * known + (1 - gate) * copied",
        ),
    ),
    (
        "not padded",
        "visible",
        ("raised RuntimeError", "at your line"),
        mix(GATE, "return gate * generated + (1 - gate) * copied"),
    ),
    (
        "unknown words cut off",
        "visible",
        "words beyond the vocabulary are lost",
        mix(GATE, "return gate * generated + (1 - gate) * copied[:, : generated.size(-1)]"),
    ),
    (
        "side by side",
        "visible",
        "a known word that is copied has two entries",
        mix(GATE, "return torch.cat([gate * generated, (1 - gate) * copied], dim=-1)"),
    ),
    (
        "gate without its axis",
        "visible",
        ("raised RuntimeError", "at your line"),
        mix(PAD, "return generate * known + (1 - generate) * copied"),
    ),
    (
        "rounded gate",
        "visible",
        "the gate is rounded",
        mix(GATE, PAD, "return torch.where(gate > 0.5, known, copied)"),
    ),
    (
        "larger of the two",
        "visible",
        "the larger of the two is taken",
        mix(GATE, PAD, "return torch.maximum(gate * known, (1 - gate) * copied)"),
    ),
    (
        "gate of sentence 0",
        "visible",
        "the gate of sentence 0 is used",
        mix(PAD, "return generate[0] * known + (1 - generate[0]) * copied"),
    ),
    (
        "in place",
        "visible",
        ("copied", "changed in place"),
        mix(
            GATE,
            "copied *= 1 - gate",
            "copied[:, : generated.size(-1)] += gate * generated",
            "return copied",
        ),
    ),
    (
        "detached gate",
        "visible",
        "no gradient reaches generate",
        mix("gate = generate.detach().unsqueeze(-1)", PAD, "return gate * known + (1 - gate) * copied"),
    ),
    (
        "at least one unknown word",
        "hidden",
        "no unknown word in the batch",
        mix(
            GATE,
            "known = torch.cat([generated, generated.new_zeros(len(generated), 1)], dim=-1)",
            "known = F.pad(known, (0, max(0, copied.size(-1) - known.size(-1))))",
            "wide = F.pad(copied, (0, known.size(-1) - copied.size(-1)))",
            "return gate * known + (1 - gate) * wide",
        ),
    ),
]

RIGHT = [
    ("pad", mix(GATE, PAD, "return gate * known + (1 - gate) * copied")),
    (
        "concatenated zeros",
        mix(
            GATE,
            "zeros = generated.new_zeros(len(generated), copied.size(1) - generated.size(1))",
            "return torch.lerp(copied, torch.cat([generated, zeros], dim=1), gate)",
        ),
    ),
    (
        "slice of a copy",
        mix(
            GATE,
            "result = (1 - gate) * copied",
            "known = generated.size(1)",
            "return torch.cat([result[:, :known] + gate * generated, result[:, known:]], dim=1)",
        ),
    ),
    (
        "row by row",
        mix(
            "rows = []",
            "for p, c, g in zip(generated, copied, generate):",
            "    row = (1 - g) * c",
            "    row[: len(p)] = row[: len(p)] + g * p",
            "    rows.append(row)",
            "return torch.stack(rows)",
        ),
    ),
]
