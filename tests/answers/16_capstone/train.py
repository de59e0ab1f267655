"""Answers to the training loop."""

TASK = "train"

CLIP = "nn.utils.clip_grad_norm_(model.parameters(), largest_norm)"
BY_HAND = ("norm = torch.stack([one.grad.norm() for one in model.parameters()]).norm()\n"
    "        for one in model.parameters():\n"
    "            one.grad *= min(1.0, float(largest_norm / norm))")


def train(
    clip: str = CLIP, number: str = "loss.item()", zero: str = "optimizer.zero_grad()", before: str = "model.train()"
) -> str:
    return f"""\
def train(model, batches, learning_rate, largest_norm):
    {before}
    optimizer, losses = torch.optim.Adam(model.parameters(), learning_rate), []
    for inputs, wanted in batches:
        {zero}
        loss = model(inputs, wanted)
        loss.backward()
        {clip}
        optimizer.step()
        losses.append({number})
    return losses
"""


WRONG = [
    ("no norm, but a factor", "not_clipped", train("[one.grad.mul_(largest_norm) for one in model.parameters()]")),
    ("the mode of the outermost module alone", "evaluating", train(before="model.training = True")),
    ("unless it is in training mode already", "part_evaluating",
     train(before="if not model.training:\n        model.train()")),
    ("the norm squared", "values", train(BY_HAND.replace("largest_norm / norm)", "largest_norm / norm**2)"))),
    ("a return within the loop", "length", train().replace("    return losses", "        return losses")),
    ("set to 0 at the end", "cleared_after",
     train(zero="pass").replace("losses.append", "optimizer.zero_grad()\n        losses.append")),
    ("losses with their graphs", "graphs", train(number="loss")),
    ("the mean of the losses", "kind", train().replace("return losses", "return sum(losses) / len(losses)")),
]

RIGHT = [
    ("set to 0 first", train()), ("clipped by hand", train(BY_HAND)),
    ("a tensor of one number", train(number="loss.detach()")),
]
