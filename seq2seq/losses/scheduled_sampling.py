r"""Scheduled sampling: in training the decoder reads the gold word, or sometimes its own (Bengio et al., 2015).

A teacher-forced model never sees its own mistakes before decoding; this loss shows it some, few at first.
:class:`ScheduledSampling` replaces :func:`seq2seq.training.forced_loss`, with any decoder that has ``step``.

As in the paper, no gradient flows through the choice of a word.
So there are two passes: steps without gradients record what the decoder reads, and one teacher-forced pass over that
gives the loss; the slow loop over steps is never differentiated.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from seq2seq.batch import Batch
from seq2seq.decoders.decoder import Decoder
from seq2seq.guards import check_share
from seq2seq.model import Seq2Seq, decoder_of
from seq2seq.training import forced_loss, masked_loss

Choose = Callable[[Tensor], Tensor]


def linear(progress: float, slope: float = 1.0, start: float = 1.0, floor: float = 0.0) -> float:
    r"""The share of gold words falls along a line (Bengio et al., 2015, section 2.4).

    $$\epsilon_i = \max(\epsilon, k - c\, i)$$

    Args:
        progress: $i$, the share of the training run that is completed, 0 to 1
        slope: $c$, by how much the share would fall over a whole run
        start: $k$
        floor: $\epsilon$, the least share of gold words
    """
    return max(floor, start - slope * progress)


def exponential(progress: float, base: float = 0.1) -> float:
    r"""The share of gold words decays exponentially (Bengio et al., 2015, section 2.4).

    $$\epsilon_i = k^i, \qquad k < 1$$

    Args:
        progress: $i$, the share of the training run that is completed, 0 to 1
        base: $k$, here the share at the end of the run

    Raises:
        ValueError: the base is not between 0 and 1.
    """
    if not 0 < base < 1:
        raise ValueError(f"base: got {base}, expected a number between 0 and 1, so that the share falls.")
    return base**progress


def inverse_sigmoid(progress: float, pace: float = 5.0, length: float = 20.0) -> float:
    r"""The share of gold words stays high, falls in the middle, and ends low (Bengio et al., 2015, section 2.4).

    $$\epsilon_i = \frac{k}{k + \exp(i / k)}, \qquad k \ge 1$$

    It starts at $k / (k + 1)$ and is one half where $i = k \ln k$: with the default values at 0.4 of the run.

    Args:
        progress: the share of the training run that is completed, 0 to 1
        pace: $k$; the paper's $i$ runs from 0 to `length`
        length: how far $i$ runs in a whole training run

    Raises:
        ValueError: the pace is below 1.
    """
    if not 1 <= pace < math.inf:
        raise ValueError(f"pace: got {pace}, expected at least 1, as in the paper.")
    return pace / (pace + math.exp(min(length * progress / pace, 700)))  # beyond which a float ends


def draw(logits: Tensor) -> Tensor:
    """A word at random from the model's own distribution: (batch, vocab_size) → (batch,)."""
    return torch.multinomial(torch.softmax(logits, dim=-1), 1).squeeze(1)


def best(logits: Tensor) -> Tensor:
    """The model's most probable word: (batch, vocab_size) → (batch,)."""
    return logits.argmax(dim=-1)


@torch.no_grad()
def mixed_inputs(model: Seq2Seq, batch: Batch, gold_share: float, choose: Choose = draw) -> Tensor:
    r"""What the decoder reads: a coin flip for each step and sentence (Bengio et al., 2015, figure 1).

    $$\tilde y_{i-1} = y_{i-1} \ \text{with probability } \epsilon_i, \qquad
      \tilde y_{i-1} \sim p(\cdot \mid \tilde y_1, \ldots, \tilde y_{i-2}, x) \ \text{otherwise}$$

    The first word is BOS in any case, and padding of the target stays padding.
    The model's word is conditioned on the words read before it, its own included; if it produces EOS too early, it
    continues.
    Coins and drawn words come from PyTorch's default generator: ``torch.manual_seed`` repeats them.

    Shape:
        mixed: (batch, target_len), ids, as ``batch.target_in``
    """
    memory, state = model.read(batch.source, batch.source_lengths)
    return _mix(model, batch, gold_share, choose, memory, state)


@torch.no_grad()
def _mix(
    model: Seq2Seq,
    batch: Batch,
    gold_share: float,
    choose: Choose,
    memory: object,
    state: object,
) -> Tensor:
    _check_share(gold_share)
    gold = batch.target_in
    coins = torch.rand(gold.shape, device=gold.device)
    from_gold = (coins < gold_share) | ~batch.target_mask
    from_gold[:, 0] = True  # BOS
    read = [gold[:, 0]]
    for step in range(1, gold.size(1)):
        logits, _, state = model.decoder.step(read[-1], state, memory)
        read.append(torch.where(from_gold[:, step], gold[:, step], choose(logits)))
    return torch.stack(read, 1)


def _check_share(gold_share: float) -> None:
    check_share("gold_share", gold_share, " (teacher forcing); does the schedule leave that range?")


@dataclass(frozen=True)
class ScheduledSampling:
    r"""The loss of scheduled sampling: ``train(model, batches, loss=ScheduledSampling(exponential), ...)``.

    $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid \tilde y_1, \ldots, \tilde y_{i-1}, x)$$

    The decoder reads $\tilde y$ (see :func:`mixed_inputs`) and must still predict the gold words $y$.
    Where the share of gold words is 1 this is the teacher-forced loss, at its cost.
    With dropout, the two passes use different dropout masks.

    Args:
        schedule: from the share of the run that is completed to the share of gold words, both 0 to 1
        choose: from logits to words; the paper samples them, or takes the best

    Raises:
        ValueError: the schedule gives a share that is not between 0 and 1.
    """

    schedule: Callable[[float], float]
    choose: Choose = draw

    def __call__(self, model: Seq2Seq, batch: Batch, progress: float) -> Tensor:
        gold_share = self.schedule(progress)
        _check_share(gold_share)
        if gold_share == 1:
            return forced_loss(model, batch, progress)
        decoder: Decoder = decoder_of(model)
        memory, state = model.read(batch.source, batch.source_lengths)
        mixed = _mix(model, batch, gold_share, self.choose, memory, state)
        logits, _ = decoder.unroll(mixed, state, memory)
        return masked_loss(logits, batch.target_out, batch.target_mask)
