"""Answers to greedy decoding with the given decoder."""

TASK = "greedy_ids"

HEAD = "def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:\n"


def greedy(
    first: str = "torch.full((len(state),), BOS)", step: str = "logits, state = decoder.step(previous, state)",
    word: str = "logits.argmax(-1)", padded: str = "said = said.masked_fill(finished, PAD)",
    finish: str = "finished = finished | (said == EOS)", feed: str = "previous = said", stop: str = "finished.all()",
    steps: str = "range(max_length)", begin: str = "ids = []", append: str = "ids.append(said)",
    end: str = "return torch.stack(ids, dim=1)",
) -> str:
    return f"""\
{HEAD}    previous = {first}
    finished = torch.zeros(len(state), dtype=torch.bool)
    {begin}
    for _ in {steps}:
        {step}
        said = {word}
        {padded}
        {finish}
        {append}
        {feed}
        if {stop}:
            break
    {end}
"""


WRONG = [
    ("ends forgotten", "begins_again", greedy(finish="finished = said == EOS")),
    ("cut off afterwards", "cut_afterwards", """\
def greedy_ids(decoder: PlainDecoder, state: Tensor, max_length: int) -> Tensor:
    previous = torch.full((len(state),), BOS)
    finished, ids, needed = torch.zeros(len(state), dtype=torch.bool), [], 0
    for _ in range(max_length):
        needed += not finished.all()
        logits, state = decoder.step(previous, state)
        previous = logits.argmax(-1).masked_fill(finished, PAD)
        finished = finished | (previous == EOS)
        ids.append(previous)
    return torch.stack(ids, 1)[:, :needed]
"""),
    ("best sentence", "raised.RuntimeError | values", greedy(word="logits.argmax(0)")),
    ("always two words", "hidden: shape", greedy(steps="range(max(2, max_length))")),
    ("a state written over", "changed_in_place", greedy(step="logits, state[:] = decoder.step(previous, state)")),
]  # fmt: skip

RIGHT = [
    ("as it is told", greedy()),
    ("by index", HEAD + """\
    ids = torch.full((len(state), max_length), PAD)
    previous = torch.full_like(ids[:, 0], BOS)
    for step in range(max_length):
        logits, state = decoder.step(previous, state)
        previous = torch.where((ids == EOS).any(1), PAD, logits.argmax(-1))
        ids[:, step] = previous
        if bool((ids == EOS).any(1).all()):
            return ids[:, : step + 1]
    return ids
"""),
    ("sentence by sentence", HEAD + """\
    rows = []
    for own in state.split(1):
        said = [torch.tensor([BOS])]
        while len(said) <= max_length and said[-1] != EOS:
            logits, own = decoder.step(said[-1], own)
            said.append(logits.argmax(-1))
        rows.append(torch.cat(said[1:]))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)
"""),
    ("topk", greedy(word="logits.topk(1, dim=-1).indices.squeeze(-1)")),
]
