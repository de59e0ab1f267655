"""The learner's own translators as one HTML page that runs them, to show to others.

The page computes with the learner's weights, by its own script of Bahdanau's wiring.
Whether that says what the learner's parts say is found out before it is written.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.encoders import Encoder
from seq2seq.live.packing import pack
from seq2seq.live.page import page
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer
from seq2seq.vocab import BOS, EOS, Vocabulary

TRAINED_LENGTHS = (4, 10)  # words, as the capstone's lessons have
LARGEST_DIFFERENCE = 1e-3  # of logits; a rounding is far smaller, another formula far larger
LONGEST = 30  # words that are compared


def write_page(
    path: str | Path,
    translators: Mapping[str, Any],
    source_vocab: Vocabulary,
    target_vocab: Vocabulary,
    sentences: Sequence[Sequence[str]],
    title: str = "My own translator",
) -> Path:
    """Write the page of the translators, by name; their logits on ``sentences`` are compared, and the first is shown.

    Raises:
        ValueError: a part has other parameters than the capstone's, or a translator does not compute what the page
            will compute from its weights.
    """
    models = []
    for name, translator in translators.items():
        model = with_weights_of(name, translator)
        for sentence in sentences:
            off = largest_difference(translator, model, source_vocab.encode(sentence))
            if not off <= LARGEST_DIFFERENCE:
                raise ValueError(
                    f"{name}: got logits that differ by {off:.2g} on {' '.join(sentence)!r}, expected at most "
                    f"{LARGEST_DIFFERENCE:g}: the page runs your weights in Bahdanau's order, score with the state "
                    "before the step, softmax over the real words, step with the context. Yours does something else, "
                    "which the page would not show."
                )
        models.append(pack(model, source_vocab, target_vocab, name, TRAINED_LENGTHS))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    introduction = (
        f"A translator from English into French with attention, as Bahdanau, Cho and Bengio (2015) built theirs: "
        f"{parameters:,} numbers, learnt from short sentences. "
        "It runs in this page, and what you type stays on your machine. "
        "Short sentences of words that it knows work best."
    )
    path = Path(path)
    path.write_text(page(models, title, introduction, " ".join(sentences[0])), encoding="utf-8")
    return path


def with_weights_of(name: str, translator: Any) -> Seq2Seq:
    """The library's model with the weights of a :class:`~seq2seq.exercises.capstone.Translator`.

    Raises:
        ValueError: its scorer cannot run in a page, or its parts have other parameters than the capstone's.
    """
    encoder, decoder = translator.encoder.state_dict(), translator.decoder.state_dict()
    try:
        source_words, encoder_embedding = encoder["embedding.weight"].shape
        target_words, decoder_embedding = decoder["embedding.weight"].shape
        half, size = encoder["forward_rnn.weight_hh_l0"].size(1), decoder["cell.weight_hh"].size(1)
        scorer = scorer_in_page(name, translator.scorer, size)
        weights = copy.deepcopy(scorer.state_dict())  # a new model sets all weights anew
        model = Seq2Seq(
            Encoder(source_words, encoder_embedding, half),
            BahdanauDecoder(target_words, decoder_embedding, size, 2 * half, scorer),
        ).eval()
        model.encoder.load_state_dict(encoder)
        renamed = {part.replace("bridge.", "bridge.hidden_layer."): value for part, value in decoder.items()}
        scores = {f"attention.scorer.{part}": value for part, value in weights.items()}
        model.decoder.load_state_dict(renamed | scores)
    except (KeyError, RuntimeError) as error:
        raise ValueError(
            f"{name}: got parameters {sorted(encoder)} and {sorted(decoder)}, expected those of the capstone's "
            f"Encoder and ContextDecoder: the page knows no others ({' '.join(str(error).split())})."
        ) from error
    return model


def scorer_in_page(name: str, scorer: Any, size: int) -> Scorer:
    """The scorer with its weights; scaled dot scores as bilinear ones, whose matrix is I / √d."""
    if isinstance(scorer, ScaledDotScorer):
        scaled = BilinearScorer(size, size)
        nn.init.eye_(scaled.key_layer.weight)
        scaled.key_layer.weight.data /= math.sqrt(size)
        return scaled
    if not isinstance(scorer, AdditiveScorer | BilinearScorer | DotScorer):
        raise ValueError(
            f"{name}: got a {type(scorer).__name__} as scorer, expected additive, bilinear, dot or scaled dot scores: "
            "the page knows no others."
        )
    return copy.deepcopy(scorer).cpu()


@torch.no_grad()
def largest_difference(translator: Any, model: Seq2Seq, sentence: Sequence[int]) -> float:
    """The largest difference of logits while both are told the words that ``model`` finds most probable."""
    device = next(translator.encoder.parameters()).device
    source, length = torch.tensor([list(sentence)]), torch.tensor([len(sentence)])
    memory, state = translator.read(source.to(device), torch.ones_like(source, dtype=torch.bool, device=device))
    page_memory, page_state = model.read(source, length)
    previous, differences = torch.tensor([BOS]), []
    for _ in range(LONGEST):
        logits, _, state = translator.step(previous.to(device), state, memory)
        page_logits, _, page_state = model.decoder.step(previous, page_state, page_memory)
        differences.append((logits.cpu() - page_logits).abs().max())
        previous = page_logits.argmax(dim=-1)
        if previous.item() == EOS:
            break
    return torch.stack(differences).max().item()  # NaN if one of them is
