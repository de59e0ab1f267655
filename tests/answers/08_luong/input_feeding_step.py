"""Answers to one step with input feeding."""

TASK, CHECKS, PARTS = "input_feeding_step", "luong", ("InputFeedingStep",)

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


def moved(move: str) -> str:
    return step(move, ATTEND, JOIN, RETURN)


WRONG = [
    (
        "zeros fed",
        "visible",
        "what is fed does not enter the cell",
        moved("state = self.cell(torch.cat([embedded, torch.zeros_like(fed)], dim=-1), state)"),
    ),
    ("word alone", "visible", ("raised RuntimeError", "at your line"), moved("state = self.cell(embedded, state)")),
    (
        "state fed",
        "visible",
        "h_{t-1} is fed in place of the last attentional state",
        moved("state = self.cell(torch.cat([embedded, state], dim=-1), state)"),
    ),
    (
        "fed as the state",
        "visible",
        "what is fed takes the place of h_{t-1}",
        moved("state = self.cell(torch.cat([embedded, fed], dim=-1), fed)"),
    ),
    (
        "exchanged",
        "visible",
        "fed and h_{t-1} are exchanged",
        moved("state = self.cell(torch.cat([embedded, state], dim=-1), fed)"),
    ),
    (
        "fed before the word",
        "visible",
        "the cell gets what is fed first, then the word",
        moved("state = self.cell(torch.cat([fed, embedded], dim=-1), state)"),
    ),
    (
        "fed added to the state",
        "visible",
        "what is fed is added to the state",
        moved("state = self.cell(torch.cat([embedded, fed], dim=-1), state + fed)"),
    ),
    (
        "word left out",
        "visible",
        "the previous word does not enter",
        moved("state = self.cell(torch.cat([torch.zeros_like(embedded), fed], dim=-1), state)"),
    ),
    (
        "no state",
        "visible",
        "it starts from zeros",
        moved("state = self.cell(torch.cat([embedded, fed], dim=-1))"),
    ),
    (
        "asks with what was fed",
        "visible",
        "the query is the attentional state that was fed",
        step(MOVE, ATTEND.replace("score(state", "score(fed"), JOIN, RETURN),
    ),
    ("asks with h_{t-1}", "visible", "the query is h_{t-1}, the state before", step(ATTEND, MOVE, JOIN, RETURN)),
    (
        "no tanh",
        "visible",
        "the tanh is missing",
        step(MOVE, ATTEND, "attentional = self.attentional_layer(torch.cat([context, state], dim=-1))", RETURN),
    ),
    (
        "attentional state handed on",
        "visible",
        "h_t is kept beside it",
        step(MOVE, ATTEND, JOIN, "return attentional, weights, attentional"),
    ),
    (
        "fed enters W_c",
        "visible",
        "what was fed enters W_c",
        step(MOVE, ATTEND, JOIN.replace("context, state", "context, fed"), RETURN),
    ),
    ("two results", "visible", "the caller needs all of them", step(MOVE, ATTEND, JOIN, "return attentional, weights")),
    (
        "fed cut off",
        "visible",
        "no gradient reaches fed",
        moved("state = self.cell(torch.cat([embedded, fed.detach()], dim=-1), state)"),
    ),
    (
        "bare squeeze",
        "hidden",
        "a bare `.squeeze()`",
        step(MOVE, ATTEND, JOIN, "return attentional.squeeze(), weights.squeeze(), state.squeeze()"),
    ),
]

RIGHT = [
    ("as it is read", moved(MOVE)),
    (
        "attention spelled out",
        step(
            "state = self.cell(torch.hstack([embedded, fed]), state)",
            "scores = (projected_keys @ state.unsqueeze(-1)).squeeze(-1)",
            "weights = masked_softmax(scores, source_mask)",
            "context = torch.einsum('bk,bkd->bd', weights, values)",
            JOIN,
            RETURN,
        ),
    ),
    (
        "two products",
        step(
            "cell, size = self.cell, embedded.size(1)",
            "given = F.linear(embedded, cell.weight_ih[:, :size], cell.bias_ih) + fed @ cell.weight_ih[:, size:].T",
            "given, own = given.chunk(3, 1), F.linear(state, cell.weight_hh, cell.bias_hh).chunk(3, 1)",
            "reset, update = (torch.sigmoid(given[n] + own[n]) for n in (0, 1))",
            "state = (1 - update) * torch.tanh(given[2] + reset * own[2]) + update * state",
            ATTEND,
            JOIN,
            RETURN,
        ),
    ),
    ("a list", step(MOVE, ATTEND, JOIN, "return [attentional, weights, state]")),
]
