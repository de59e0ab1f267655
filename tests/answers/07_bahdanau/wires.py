"""Answers to the wiring that is found out by experiment."""

TASK = "wires"


def wires(*lines: str, keys: str = "step.project_keys(v)") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"""\
def wires(step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> dict[str, bool]:
    def run(e=embedded, s=state, v=values, m=source_mask):
        return step(e, s, {keys}, v, m)

    def moved(one, other):
        return float((one - other).abs().max()) > 1e-6

    new, context, weights = run()
    short = {{"v": values[:, :1], "m": source_mask[:, :1]}}
{body}"""


ASKS = {"state asks": "moved(run(s=state + 1)[2], weights)", "word asks": "moved(run(e=2 * embedded)[2], weights)"}
ENTERS = {
    "state enters": "moved(run(s=0 * state, **short)[0], run(**short)[0])",
    "word enters": "moved(run(e=embedded.flip(-1), **short)[0], run(**short)[0])",
    "context enters": "moved(run(v=values[:, :1] + 1, m=source_mask[:, :1])[0], run(**short)[0])",
}
REST = {
    "padding counts": "moved(run(v=values.masked_fill(~source_mask.unsqueeze(-1), 7.0))[2], weights)",
    "context is the weighted sum": "not moved(context, torch.einsum('bk,bkd->bd', weights, values))",
}
ALL = {**ASKS, **ENTERS, **REST}


def table(**changed: str) -> str:
    entries = ALL | {name.replace("_", " "): answer for name, answer in changed.items()}
    return wires("return {", *(f"    {name!r}: {answer}," for name, answer in entries.items()), "}")


WRONG = [
    ("enters by the whole sentence", "state_by_the_question", table(state_enters="moved(run(s=-state)[0], new)")),
    ("word by the whole sentence", "word_by_the_question", table(word_enters="moved(run(e=-embedded)[0], new)")),
    ("weight at the padding", "padding_has_weight", table(padding_counts="bool((weights[~source_mask] > 0).any())")),
    ("no mask is no padding", "hidden: values",
     table(padding_counts="not moved(run(m=torch.ones_like(source_mask))[2], weights)")),
    ("neighbours", "hidden: values", table(state_enters="moved(run(s=state.roll(1, 0), **short)[0], run(**short)[0])")),
    ("0 at the padding", "stays_0",
     table(padding_counts="moved(run(v=values.masked_fill(~source_mask.unsqueeze(-1), 0.0))[2], weights)")),
    ("the padding negated", "stays_0",
     table(padding_counts="moved(run(v=values.where(source_mask.unsqueeze(-1), -values))[2], weights)")),
    ("never weighted", "values", table(context_is_the_weighted_sum="False")),
]

RIGHT = [
    ("a table", table()),
    ("one change after the other",
        wires("first, found = run(**short)[0], {}",
              "for name, change in {'state': {'s': torch.randn_like(state)}, 'word': {'e': embedded - 3}}.items():",
              "    found[f'{name} asks'] = not torch.allclose(run(**change)[2], weights)",
              "    found[f'{name} enters'] = not torch.equal(run(**change, **short)[0], first)",
              "found['context enters'] = not torch.allclose(run(v=-values[:, :1], m=short['m'])[0], first)",
              "padded = torch.where(source_mask[..., None], values, torch.ones(()))",
              "found['padding counts'] = torch.tensor(not torch.allclose(run(v=padded)[2], weights))",
              "summed = torch.allclose((weights[:, None] @ values)[:, 0], context, atol=1e-5)",
              "return found | {'context is the weighted sum': summed}")),
    ("sentence by sentence, and the answers of numpy",
        wires("import numpy as np", "alone = values.mean(1, keepdim=True), torch.ones_like(source_mask[:, :1])",
              "return {name: np.bool_(one) for name, one in {",
              "    'state asks': any(moved(a, b) for a, b in zip(run(s=-state)[2], weights)),",
              "    'word asks': any(moved(a, b) for a, b in zip(run(e=-embedded)[2], weights)),",
              "    'state enters': moved(run(s=-state, v=alone[0], m=alone[1])[0], run(v=alone[0], m=alone[1])[0]),",
              "    'word enters': moved(run(e=-embedded, v=alone[0], m=alone[1])[0], run(v=alone[0], m=alone[1])[0]),",
              f"    'context enters': {ENTERS['context enters']},",
              *(f"    {name!r}: {answer}," for name, answer in REST.items()), "}.items()}")),
]
