"""Answers to the whole target at once."""

TASK = "luong_unroll"

RUN = "hidden, _ = self.rnn(embedded, state.unsqueeze(0))"
SCORE = "scores = hidden @ self.scorer.project_keys(values).mT"
WEIGH = "weights = masked_softmax(scores, source_mask.unsqueeze(1))"
SUM = "contexts = weights @ values"
JOIN = "attentionals = torch.tanh(self.attentional_layer(torch.cat([contexts, hidden], dim=-1)))"
RETURN = "return attentionals, weights"


def unroll(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class LuongUnroll(nn.Module):
    def __init__(self, embedding_size: int, hidden_size: int, encoder_size: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(embedding_size, hidden_size, batch_first=True)  # wants the state as (1, batch, hidden_size)
        self.scorer = BilinearScorer(hidden_size, encoder_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c

    def forward(self, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
{body}"""


def weighed(line: str) -> str:
    return unroll(RUN, SCORE, line, SUM, JOIN, RETURN)


WRONG = [
    ("word by word", "loop", unroll(
        "hidden, last = [], state.unsqueeze(0)",
        "for word in embedded.split(1, 1):\n            out, last = nn.GRU.forward(self.rnn, word, last)\n"
        "            hidden.append(out)\n        hidden = torch.cat(hidden, 1)",
        SCORE, WEIGH, SUM, JOIN, RETURN)),
    ("word by word, in a thread", "loop", unroll(
        "hidden, last = [], state.unsqueeze(0)",
        "def loop(last=last):\n            for word in embedded.split(1, 1):\n"
        "                out, last = nn.GRU.forward(self.rnn, word, last)\n                hidden.append(out)",
        "import threading", "thread = threading.Thread(target=loop)", "thread.start()", "thread.join()",
        "hidden = torch.cat(hidden, 1)", SCORE, WEIGH, SUM, JOIN, RETURN)),
    ("mask without its axis", "raised.RuntimeError", weighed("weights = masked_softmax(scores, source_mask)")),
    ("order", "change | shape", unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return weights, attentionals")),
    ("values cut off", "gradient", unroll(RUN, SCORE, WEIGH, "contexts = weights @ values.detach()", JOIN, RETURN)),
    ("the way back cut after 16 words", "hidden: values", unroll(
        "hidden, last = self.rnn(embedded[:, :16], state.unsqueeze(0))",
        "if embedded.size(1) > 16:\n"
        "            hidden = torch.cat([hidden, self.rnn(embedded[:, 16:], last.detach())[0]], 1)",
        SCORE, WEIGH, SUM, JOIN, RETURN)),
    ("bare squeeze", "hidden: squeezed",
     unroll(RUN, SCORE, WEIGH, SUM, JOIN, "return attentionals.squeeze(), weights.squeeze()")),
]

RIGHT = [
    ("as it is read", unroll(RUN, SCORE, WEIGH, SUM, JOIN, RETURN)),
    ("bmm",
        unroll(
            RUN, "keys = self.scorer.key_layer(values)",
            "scores = torch.bmm(hidden, keys.transpose(1, 2)).masked_fill(~source_mask[:, None], float('-inf'))",
            "weights = F.softmax(scores, dim=2)",
            "contexts = torch.bmm(weights, values)", JOIN, RETURN,
        )),
    ("SDPA for the contexts",
        unroll(
            RUN, "keys, mask = self.scorer.project_keys(values), source_mask.unsqueeze(1)",
            "contexts = F.scaled_dot_product_attention(hidden, keys, values, attn_mask=mask, scale=1.0)",
            "weights = masked_softmax(torch.einsum('btd,bsd->bts', hidden, keys), mask)", JOIN, RETURN,
        )),
]
