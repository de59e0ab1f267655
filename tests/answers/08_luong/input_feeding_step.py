"""Answers to one step with input feeding."""

TASK = "input_feeding_step"

MOVE = "state = self.cell(torch.cat([embedded, fed], dim=-1), state)"
ATTEND = "context, weights = attend(self.scorer.score(state, projected_keys), values, source_mask)"
JOIN = "attentional = torch.tanh(self.attentional_layer(torch.cat([context, state], dim=-1)))"
RETURN = "return attentional, weights, state"


def step(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class InputFeedingStep(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(embedding_size + hidden_size, hidden_size)  # takes the word first, then what is fed
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def project_keys(self, values: Tensor) -> Tensor:
        return self.scorer.project_keys(values)

    def forward(
        self,
        embedded: Tensor,
        fed: Tensor,
        state: Tensor,
        projected_keys: Tensor,
        values: Tensor,
        source_mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
{body}"""


WRONG = [
    ("word alone", "raised.RuntimeError", step("state = self.cell(embedded, state)", ATTEND, JOIN, RETURN)),
    ("two results", "results", step(MOVE, ATTEND, JOIN, "return attentional, weights")),
    ("fed cut off", "no_gradient", step(MOVE.replace("fed", "fed.detach()"), ATTEND, JOIN, RETURN)),
    ("bare squeeze", "hidden: squeezed",
     step(MOVE, ATTEND, JOIN, "return attentional.squeeze(), weights.squeeze(), state.squeeze()")),
]

RIGHT = [
    ("as it is read", step(MOVE, ATTEND, JOIN, RETURN)),
    ("attention spelled out",
        step("state = self.cell(torch.hstack([embedded, fed]), state)",
             "scores = (projected_keys @ state.unsqueeze(-1)).squeeze(-1)",
             "weights = masked_softmax(scores, source_mask)", "context = torch.einsum('bk,bkd->bd', weights, values)",
             JOIN, RETURN)), ("a list", step(MOVE, ATTEND, JOIN, "return [attentional, weights, state]")),
]
