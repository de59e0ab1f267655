"""What models and what belongs to them refuse, beyond what every function does (``test_every_guard.py``)."""

import itertools
import math
from datetime import date
from functools import partial
from pathlib import Path

import pytest
import torch
from small_models import BATCH, PAIRS, SIZE, VOCAB, bahdanau, fixed, luong
from torch import nn

from seq2seq.alignment import aer, hard_links, soft_aer
from seq2seq.attention import masked_softmax
from seq2seq.batch import collate, token_batches
from seq2seq.beam import penalty, search
from seq2seq.beyond import summariser
from seq2seq.beyond.attentive_reader import AttentiveReader
from seq2seq.beyond.captioning import Captioner, DrawingBatches, PictureEncoder, collate_drawings, pointing_accuracy
from seq2seq.beyond.copy_mixture import mixture
from seq2seq.beyond.copying import copying_loss, covering_loss, greedy_copying
from seq2seq.beyond.extended_vocabulary import decode, extend
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, Mean
from seq2seq.beyond.memory_network import AdjacentMemoryNetwork, LayerwiseMemoryNetwork, SentenceEmbedding
from seq2seq.beyond.speech import UtteranceBatches, collate_utterances, weight_on_spans
from seq2seq.beyond.stack_rnn import StackRNN
from seq2seq.corpora import anonymous, dates, drawings, grammar, long_memory, pair, speech, stories, toys
from seq2seq.corpora.hansards import AlignedPair, hansards
from seq2seq.corpora.headlines import headlines
from seq2seq.decoders import local, location_aware, pointer, state
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.hard import HardAttentionDecoder, MarginalAttentionDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.altered_attention import UniformAttention
from seq2seq.encoders import Encoder
from seq2seq.evaluation.agreement import agreement
from seq2seq.evaluation.edit_distance import symbol_error_rate
from seq2seq.evaluation.link_scores import link_scores
from seq2seq.evaluation.rouge import rouge_l, rouge_n
from seq2seq.evaluation.word_aligner import WordAligner
from seq2seq.experiments.forming import chosen
from seq2seq.experiments.recipe import build
from seq2seq.experiments.study import QUICK, SETTINGS, prepare
from seq2seq.hard.attention import masked_log_softmax
from seq2seq.layers.gru import Gru
from seq2seq.layers.paper_gru import PaperGru
from seq2seq.layers.recurrent import recurrent_layer
from seq2seq.live.base91 import decode as decode_text
from seq2seq.local.attention import attend_gathered, in_window, window_softmax
from seq2seq.losses.guided import guided_loss
from seq2seq.losses.hard import BestPositionsLoss, ScoreFunctionLoss, SoftBaselineLoss
from seq2seq.losses.local import LocalLoss, diagonal_penalty
from seq2seq.losses.penalties import doubly_stochastic_penalty
from seq2seq.losses.scheduled_sampling import ScheduledSampling, exponential, inverse_sigmoid
from seq2seq.metrics import bleu, exact_match, perplexity, perplexity_of_logits
from seq2seq.model import Seq2Seq
from seq2seq.paper_names import load_luong
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, DotScorer, LocationScorer, ScaledDotScorer
from seq2seq.search import greedy
from seq2seq.training import masked_loss, train
from seq2seq.transformer.model import TransformerDecoder, TransformerEncoder
from seq2seq.transformer.positions import positions
from seq2seq.transformer.self_attention import MultiHeadAttention, causal_mask, from_torch, visible_keys
from seq2seq.vocab import Vocabulary

SOURCE = torch.full((3, 7), 4)
SCORES, MASK = torch.zeros(2, 3), torch.ones(2, 3, dtype=torch.bool)
KEYS = torch.zeros(2, 6, 5)
WIDE = {"max_length": 7, "beam_size": 1, "n_best": 1}
STEPS = pointer.PointerSteps(torch.zeros(2, 7), torch.zeros(2, 3), torch.zeros(2))
SWAPPED = torch.ones(2, 4) > 0, torch.ones(2, 5) > 0
OF_LUONG = {"W_c": torch.zeros(3, 6), "W_s": torch.zeros(7, 3), "W_a": torch.zeros(3, 3)}
BOTH_WAYS = (SIZE, 5, 6, 8, AdditiveScorer(6, 8, 7))


def searched(**options):
    return lambda: search.beam_search(fixed(), BATCH.source, BATCH.source_lengths, **WIDE | options)


def rescored(length, beams=(1,)):
    lengths = torch.full((len(PAIRS), *beams), length)
    return lambda: search.rescore(fixed(), *SENTENCES, torch.full((len(PAIRS), 1, 3), 4), lengths)


def trained(model=bahdanau, batches=(BATCH,), **options):
    return lambda: train(model(), batches, device="cpu", progress=False, **options)


def pictured(shape):
    return lambda: PictureEncoder(10)(torch.zeros(shape))


def joined(kind, encoder):
    return lambda: kind(encoder, BahdanauDecoder(*BOTH_WAYS))


def gathered(scorer):
    return lambda: attend_gathered(window_softmax, scorer, KEYS, KEYS, KEYS, MASK, torch.zeros(2, 6), 2)


def weighed(kind):
    sizes = (1,) if kind in LOCAL else ()

    def start():
        decoder = kind(*BOTH_WAYS, *sizes)
        decoder.attention = UniformAttention(decoder.attention.scorer)
        Seq2Seq(Encoder(SIZE, 3, 4), decoder)(*SENTENCES, BATCH.target_in)

    return start


def pointing():
    return Seq2Seq(Encoder(SIZE, 3, 4, cell="lstm"), pointer.PointerDecoder(SIZE, 3, 4, 8, 5))


def theirs(**option):
    return lambda: from_torch(nn.MultiheadAttention(12, 3, batch_first=True, **option))


def linked(*links, source=("a", "b")):
    return [AlignedPair(source, ("c", "d"), frozenset(links), frozenset(links))]


LINK, ZERO = frozenset({(0, 0)}), torch.tensor(0)
DRAWING = (
    *(lambda kind=kind: kind((), VOCAB, generator=3) for kind in (UtteranceBatches, DrawingBatches)),
    lambda: token_batches([], VOCAB, VOCAB, generator=3),
    lambda: long_memory.adding(2, 22, 3),
)
TRANSFORMERS = (
    lambda size=8, heads=2, **how: TransformerEncoder(9, size, heads, 5, **how),
    lambda size=8, heads=2, **how: TransformerDecoder(9, size, 8, heads, 5, **how),
)
ODD = (lambda: positions(4, 7), *(lambda make=make: make(size=7, heads=1) for make in TRANSFORMERS))
NARROW = (lambda: BahdanauDecoder(9, 3, 1, 4, AdditiveScorer(1, 4, 5)), lambda: EveryStepDecoder(9, 3, 1, 4))
LOCAL = (local.LocalMonotonicDecoder, local.LocalPredictiveDecoder)
WEIGHING = (*LOCAL, HardAttentionDecoder, MarginalAttentionDecoder)
SENTENCES, LENGTHS = (BATCH.source, BATCH.source_lengths), torch.tensor([7, 7, 7])
OF_LOGITS = [
    *(lambda: greedy(pointing(), *SENTENCES, 3), lambda: search.beam_search(pointing(), *SENTENCES, 3)),
    *(lambda: perplexity(pointing(), [BATCH]), trained(pointing, steps=1)),
]
OF_TARGETS, LOGITS, TARGETS = (masked_loss, perplexity_of_logits), torch.zeros(2, 3, 5), torch.tensor([[1, 1, 0]] * 2)
OF_IDS = [
    *(StackRNN(9, 4), partial(AdjacentMemoryNetwork(9, 3, 1), SOURCE.unsqueeze(1))),
    *(partial(LayerwiseMemoryNetwork(9, 3, 1), SOURCE.unsqueeze(1)), lambda ids: SentenceEmbedding(9, 3)(ids)),
    *(lambda ids: AttentiveReader(9, 3, 4)(ids, LENGTHS, SOURCE, LENGTHS),),
    *(lambda ids: AttentiveReader(9, 3, 4)(SOURCE, LENGTHS, ids, LENGTHS),),
]
MEMORY_NETWORKS = (AdjacentMemoryNetwork, LayerwiseMemoryNetwork)
WHOLE = linked(*itertools.product(range(2), range(2)))
NO_SENTENCE = "got none, expected at least one"
NO_COUNTERPART = "nothing else has a counterpart"
NOT_BOOL = r"source_mask: dtype .*, expected torch\.bool with True = real token"
REFUSALS = {
    TypeError: [
        (lambda: masked_softmax(SCORES, MASK.float()), NOT_BOOL),
        (lambda: masked_softmax(SCORES, MASK.long()), NOT_BOOL),
        (lambda: masked_log_softmax(SCORES, MASK.double()), NOT_BOOL),
        (lambda: Mean()(KEYS, torch.ones(2, 6)), r"expected torch\.bool"),
        (lambda: FeedForwardAttention(5)(KEYS, torch.ones(2, 6)), r"expected torch\.bool"),
        (gathered(LocationScorer(5, 6)), "scorer: got LocationScorer, which ignores the keys"),
        (lambda: load_luong(LuongDecoder(7, 2, 3, 3, Scorer()), {}), "its scorer is Scorer, expected one of"),
        (lambda: aer(["0-0"], [LINK]), "predicted: got '0-0', expected a set of links"),
        (lambda: aer([LINK], [[(0, 0)]]), r"sure: got \[\(0, 0\)\], expected a set of links"),
        (lambda: aer([frozenset({(ZERO, ZERO)})], [LINK]), "predicted: got .*tensor.*, expected two whole numbers"),
        (lambda: soft_aer([torch.ones(1, 1)], [frozenset({(0.5, 0)})]), "sure: got .* expected two whole numbers"),
        (lambda: link_scores(["0-0"], linked((0, 0))), "predicted: got '0-0', expected a set of links"),
        (lambda: pair.Pair(("a",), ("c",), [(0, 0)]), "links: got .*, expected a set of links"),
        *(
            (partial(metric, [torch.tensor([4])], [[4]]), "hypotheses: got tensors for tokens")
            for metric in (bleu, exact_match, rouge_l, symbol_error_rate)
        ),
        *((lambda metric=metric: metric([["a"]], [[["a"], ["b"]]]), "has one reference") for metric in (bleu, rouge_l)),
        (
            lambda: Vocabulary([("the", "cat"), ("a", "dog")]),
            r"tokens: got \('the', 'cat'\) among them, expected strings",
        ),
        *((partial(VOCAB.encode, bad), "tokens: got .* among them, expected strings") for bad in ([("1",)], [4, 5])),
        *(
            (partial(reader, ids), r"ids: got [\s\S]*, expected whole numbers, the ids of one sentence")
            for reader in (VOCAB.decode, lambda ids: decode(ids, VOCAB, []))
            for ids in (torch.full((2, 1), 4), torch.tensor([4.0]), [4.5], [[4]])
        ),
        (lambda: collate([(("1",), ("1",), LINK)], VOCAB, VOCAB), "pairs: got .* in row 0, expected a Pair"),
        (lambda: token_batches([("1", "1")], VOCAB, VOCAB), "pairs: got .* in row 0, expected a Pair"),
        *((make, "generator: got 3, expected a torch.Generator") for make in DRAWING),
        (trained(batches=BATCH, steps=1), "batches: got a single Batch"),
        (lambda: perplexity(bahdanau(), BATCH), "batches: got a single Batch"),
        (trained(batches=PAIRS, steps=1), "batches: got a Pair among them, expected each a Batch; `token_batches"),
        (trained(batches=PAIRS[:1], steps=1), "batches: got a Pair among them"),
        (lambda: copying_loss(luong(), BATCH, 0), "decoder is a LuongDecoder, expected a PointerDecoder"),
        (lambda: covering_loss(pointing(), BATCH, 0), "batch: got Batch, expected an ExtendedBatch"),
        (lambda: Encoder(9, 4, 4, "lstm"), "positional arguments"),
        (lambda: state.reorder({}, torch.tensor([0])), "state: got dict, expected a tensor"),
        (lambda: Seq2Seq(fixed().decoder, fixed().encoder), "decoder: got Encoder, expected a Decoder.*swapped"),
        *((partial(LuongDecoder, 7, 2, 3, 3, bad), "scorer: got .*expected") for bad in (DotScorer, "dot", None)),
        *((weighed(kind), "attention: got UniformAttention, expected Attention") for kind in WEIGHING),
        *((call, "its decoder is a PointerDecoder.*expected one that gives logits") for call in OF_LOGITS),
        (lambda: greedy(nn.DataParallel(luong()), *SENTENCES, 3), "got DataParallel, expected a Seq2Seq.*model.module"),
        (lambda: LocalLoss(1)(nn.DataParallel(luong()), BATCH, 0), "got DataParallel, expected a Seq2Seq"),
        (lambda: LocalLoss(1)(luong(), BATCH, 0), "is a LuongDecoder, expected a LocalPredictiveDecoder; this loss"),
        (lambda: greedy_copying(luong(), BATCH, 3), "decoder is a LuongDecoder, expected a PointerDecoder"),
        (searched(penalty=penalty.gnmt_penalty), r"call it first: `penalty=gnmt_penalty\(0\.6\)`"),
        *((searched(penalty=bad), "penalty: got .*expected a function") for bad in (0.6, None, lambda n: n.sum())),
        *((partial(of, LOGITS, TARGETS, TARGETS), "target_mask: dtype torch.int64") for of in OF_TARGETS),
        (lambda: diagonal_penalty(SCORES, MASK, MASK.long()), "target_mask: dtype torch.int64"),
        (lambda: diagonal_penalty(SCORES, MASK.long(), MASK), "source_mask: dtype torch.int64"),
        *((partial(call, torch.zeros(3, 7)), "got torch.float32, expected a tensor of integers") for call in OF_IDS),
    ],
    ValueError: [
        *((partial(call, SOURCE + 5), r": got ids from 9 to 9, expected 0 to 8") for call in OF_IDS),
        *(
            (partial(of, LOGITS, *bad), "target_out, target_mask: shapes .*transposed")
            for of in OF_TARGETS
            for bad in [
                (TARGETS.t(), TARGETS.t() > 0),
                *((TARGETS, mask) for mask in (MASK[:1], MASK[:, :1], MASK[None])),
            ]
        ),
        (lambda: Seq2Seq(Encoder(SIZE, 3, 4), LuongDecoder(*BOTH_WAYS[:3], 4, DotScorer())), "scorer: got a DotScorer"),
        (lambda: BahdanauDecoder(SIZE, 5, 6, 8, AdditiveScorer(6, 7, 3)), "scorer: got a Add.*expected.* key_size=8"),
        (lambda: Seq2Seq(Encoder(SIZE, 3, 3), LuongDecoder(*BOTH_WAYS)), "got encoder_size=8, expected 6, the size of"),
        (lambda: rouge_l([["a"]], []), "sentences: got 1 of ours and 0 of theirs"),
        (lambda: rouge_n([], [], 1), "above 0"),
        (lambda: agreement(linked((0, 0)), linked((0, 0), source=("a", "x"))), "second: got the sentence"),
        (lambda: agreement(linked(), linked()), "no link on either side"),
        (lambda: agreement(WHOLE, WHOLE), "has one label"),
        (lambda: link_scores([frozenset({(0, 0)})], linked()), "no sure link"),
        (lambda: masked_softmax(SCORES, MASK, 0.0), "temperature: got 0.0, expected a number above 0"),
        (lambda: masked_softmax(SCORES, MASK, torch.nan), "temperature: got nan"),
        (lambda: UtteranceBatches((), VOCAB, 0), "size: got 0, expected at least 1"),
        (lambda: DrawingBatches((), VOCAB, 0), "size: got 0, expected at least 1"),
        (lambda: LocationScorer(3, 4)(torch.zeros(2, 3), KEYS), "keys: got 6 on axis 1, expected at most max_keys=4"),
        (lambda: location_aware.LocationAwareScorer(4, 6, 5, half_width=0), "half_width: got 0, expected at least 1"),
        (lambda: in_window(torch.arange(3), torch.zeros(1, 1), 0), "half_width: got 0, expected at least 1"),
        (lambda: visible_keys(MASK, causal_mask(4)), "causal: got 4 keys on axis 1, expected 3"),
        (lambda: MultiHeadAttention(12, 5), "size: got 12, expected a multiple of heads=5"),
        *((theirs(**option), NO_COUNTERPART) for option in ({"bias": False}, {"add_bias_kv": True}, {"kdim": 5})),
        (theirs(add_zero_attn=True), NO_COUNTERPART),
        *((made, "size: got 7, expected an even number") for made in ODD),
        *((lambda make=make: make(heads=0), "heads: got 0, expected at least 1") for make in TRANSFORMERS),
        *((lambda make=make: make(layers=0), "layers: got 0, expected at least 1") for make in TRANSFORMERS),
        (lambda: PaperGru(3, 0), "hidden_size: got 0, expected at least 1"),
        *((make, "hidden_size: got 1, expected at least 2, because the readout") for make in NARROW),
        (
            lambda: mixture(torch.ones(1, 3), torch.ones(1, 2), torch.ones(1)),
            "extended_size: got 2, expected at least 3",
        ),
        (lambda: recurrent_layer("GRU", 3, 5), r"got 'GRU', expected one of \['gru', 'lstm', 'paper_gru', 'rnn'\]"),
        (lambda: Encoder(9, 3, 5, cell="elman"), "cell: got 'elman', expected one of"),
        *((partial(kind, 3, 4, batch_first=False), "got False, expected True") for kind in (Gru, PaperGru)),
        (lambda: TransformerEncoder(9, 6, 3, 5)(SOURCE, torch.tensor([8, 4, 1])), "source_lengths: got 1 to 8"),
        (lambda: summariser.WordEncoder(9, 4)(SOURCE, torch.tensor([3, 0, 1])), "source_lengths: got 0 to 3"),
        (lambda: summariser.ConvolutionalEncoder(9, 4, layers=0), "layers: got 0, expected at least 1"),
        (lambda: summariser.ConvolutionalEncoder(9, 4, half_width=-1), "half_width: got -1, expected at least 0"),
        (lambda: summariser.smooth(KEYS, torch.ones(2, 6) > 0, -1), "half_width: got -1, expected at least 0"),
        (lambda: summariser.FeedForwardDecoder(9, 3, 5, 4, 0), "words: got 0, expected at least 1"),
        (lambda: summariser.AttentiveFeedForwardDecoder(9, 3, 5, 4, 2, -1), "half_width: got -1, expected at least 0"),
        (lambda: BahdanauDecoder(9, 3, 5, 7, DotScorer()), "encoder_size: got 7, expected an even number"),
        *((partial(kind, *BOTH_WAYS, 0), "half_width: got 0, expected at least 1") for kind in LOCAL),
        *((partial(kind, *BOTH_WAYS, 1.5), "half_width: got 1.5, expected a whole number") for kind in LOCAL),
        *((partial(kind, *BOTH_WAYS, math.nan), "half_width: got nan") for kind in LOCAL),
        *((partial(ScoreFunctionLoss, soft_share=bad), "soft_share: got") for bad in (-0.1, 2, math.nan)),
        (lambda: SoftBaselineLoss(0), "soft_until: got 0, expected a number above 0"),
        *((partial(BestPositionsLoss, bad), f"positions: got {bad}, expected at least 1") for bad in (0, -1)),
        (lambda: LocalLoss(0), "half_width: got 0, expected at least 1"),
        (lambda: LocalLoss(2, first_half_width=0), "first_half_width: got 0, expected at least 1"),
        (lambda: LocalLoss(2, pull=0.1, pull_until=0), "pull_until: got 0, expected a number above 0"),
        (lambda: LocalLoss(2, wide_until=0), "wide_until: got 0, expected a number above 0"),
        (lambda: pointing_accuracy(torch.ones(0, 2, 9), []), f"drawings: {NO_SENTENCE}"),
        (lambda: weight_on_spans(torch.ones(0, 2, 9), []), f"utterances: {NO_SENTENCE}"),
        (lambda: WordAligner([], VOCAB, VOCAB), f"pairs: {NO_SENTENCE}"),
        (lambda: pointer.final_distribution(STEPS, torch.zeros(2, 3), 6), "extended_size: got 6, expected at least 7"),
        (joined(Seq2Seq, Encoder(SIZE, 3, 8, bidirectional=False)), "encoder: one-way, but BahdanauDecoder"),
        (joined(Seq2Seq, nn.Embedding(SIZE, 8)), "one of your own shows that it is two-way by a backward_rnn"),
        (joined(Seq2Seq, TransformerEncoder(SIZE, 8, 2, 5)), "BahdanauDecoder starts from the backward state"),
        (joined(Captioner, PictureEncoder(8)), "got a BahdanauDecoder.*expected one that starts from a summary"),
        (pictured((2, 3, 28, 28)), r"pictures: got shape \(2, 3, 28, 28\), expected \(batch, 3, 42, 42\)"),
        (pictured((3, 42, 42)), "pictures: got shape"),
        (lambda: AdjacentMemoryNetwork(9, 3, 2, 7)(torch.ones(3, 8, 4).long(), SOURCE), "story.* got 8 .*at most 7"),
        *((partial(kind, 9, 3, 0), "hops: got 0, expected at least 1") for kind in MEMORY_NETWORKS),
        (lambda: StackRNN(4, 6, stacks=0), "stacks: got 0, expected at least 1"),
        (lambda: StackRNN(4, 6, top=0), "top: got 0, expected at least 1"),
        (lambda: load_luong(LuongDecoder(7, 2, 3, 3, DotScorer()), OF_LUONG), r"missing \[\], unknown \['W_a'\]"),
        (lambda: doubly_stochastic_penalty(torch.zeros(2, 4, 5), *SWAPPED), r"\(2, 5\) and \(2, 4\).*swapped"),
        (lambda: exponential(0.5, base=1), "base: got 1, expected a number between 0 and 1"),
        (lambda: exponential(0.5, base=0), "base: got 0"),
        (lambda: inverse_sigmoid(0.5, pace=0), "pace: got 0, expected at least 1"),
        (
            lambda: ScheduledSampling(lambda _: 1.5)(luong(), BATCH, 0.3),
            "gold_share: got 1.5, expected a share from 0 to 1",
        ),
        (lambda: ScheduledSampling(lambda _: -0.1)(luong(), BATCH, 0.3), "gold_share: got -0.1"),
        (trained(), "expected at least one; training needs an end"),
        (trained(batches=[], steps=1), r"batches: got none\."),
        (trained(batches=iter([BATCH]), steps=2), "got none a second time"),
        (trained(steps=2.5), r"steps: got 2\.5, expected a whole number, at least 1; for an untrained model"),
        (trained(steps="3"), "steps: got '3', expected a whole number, at least 1"),
        (trained(cpu_seconds="3"), "cpu_seconds: got '3', expected a number above 0"),
        *((trained(steps=1, rate_factors={"": bad}), f"rate_factors: got {bad} for ''") for bad in (-1.0, math.nan)),
        (trained(steps=1, rate_factors={"enc": 1, "encoder": 2}), "'enc' is .* name that no longer key begins too"),
        (trained(steps=1, rate_factors={"decoder.outs": 0.1}), r"'decoder\.outs' is not the start of any parameter's"),
        (lambda: collate([], VOCAB, VOCAB), f"pairs: {NO_SENTENCE}"),
        (lambda: collate([PAIRS[0], pair.Pair((), ("1",), frozenset())], VOCAB, VOCAB), "row 1 has an empty source"),
        (lambda: token_batches([*PAIRS, pair.Pair((), ("1",), frozenset())], VOCAB, VOCAB), f"row {len(PAIRS)} has an"),
        *((partial(Vocabulary.build, [["a"]], bad), "min_count: got") for bad in (0, -1, 1.5, math.nan, "2", None)),
        (lambda: extend([], VOCAB, VOCAB), f"pairs: {NO_SENTENCE}"),
        (lambda: collate_drawings([], VOCAB), f"drawings: {NO_SENTENCE}"),
        (lambda: collate_utterances([], VOCAB), f"utterances: {NO_SENTENCE}"),
        (lambda: anonymous.readings([], anonymous.reading_vocabulary()), "stories: got none"),
        (lambda: Vocabulary(["le", "le"]), r"\['le'\] more than once"),
        (lambda: Vocabulary(["<pad>"]), r"\['<pad>'\] more than once"),
        (searched(beam_size=2, n_best=3), "beam_size: got 2, expected at least 3, as many as n_best"),
        *(
            (searched(penalty=bad), "penalty: got .*expected finite numbers above 0 that do not fall")
            for bad in (lambda n: 1 / n, lambda n: n - 1, lambda n: -n, lambda n: n * math.nan, lambda n: n / 0)
        ),
        (rescored(4), "lengths: got 4, expected at most 3, the steps of ids"),
        (rescored(3, ()), r"lengths: shape \(\d+,\), expected \(\d+, 1\), one for each hypothesis"),
        (lambda: BATCH.padded(len(PAIRS), 1, 9), "source_len: got 1, expected at least .*that of the batch"),
        (lambda: BATCH.padded(len(PAIRS), 9, 1), "target_len: got 1, expected at least"),
        (lambda: BATCH.padded(1, 9, 9), "sentences: got 1, expected at least"),
        (lambda: guided_loss(torch.ones(2, 2, 1), torch.ones(2, 2, 2)), r"guide: shape \(2, 2, 2\), expected"),
        (lambda: diagonal_penalty(SCORES, MASK, MASK[:1]), r"target_mask: shape \(1, 3\), expected \(2, 3\)"),
        (lambda: diagonal_penalty(SCORES, MASK[:1], MASK), r"source_mask: shape \(1, 3\), expected \(2, 3\)"),
        (lambda: soft_aer([torch.ones(1, 1, 1)], [LINK]), "one column per source word, of one sentence"),
        (lambda: penalty.gnmt_penalty(-1.0), r"alpha: got -1\.0, expected 0"),
        (lambda: bleu([["le"]] * 3, [["le"]] * 2), "got 3 of ours and"),
        (lambda: exact_match([["le"]] * 3, [["le"]] * 2), "got 3 of ours and"),
        *((partial(metric, [LINK] * 3, [LINK] * 2), "got 3 of ours and") for metric in (aer, soft_aer)),
        (lambda: aer([frozenset()], [frozenset()]), "no link on either side"),
        (lambda: soft_aer([torch.ones(1, 1)], [frozenset({(-1, 0)})]), r"sure: got \(-1, 0\), expected a source pos"),
        (lambda: aer([frozenset({(0, -1)})], [LINK]), r"predicted: got \(0, -1\), expected a source position"),
        (
            lambda: hard_links(torch.ones(2, 2), 2, 5),
            r"weights: shape \(2, 2\), expected at least \(target=5, source=2",
        ),
        (
            lambda: hard_links(torch.ones(2, 2), 9, 2),
            r"weights: shape \(2, 2\), expected at least \(target=2, source=9",
        ),
        (lambda: hard_links(torch.full((1, 1), torch.nan), 1, 1), "weights: got nan, expected numbers"),
        (lambda: soft_aer([torch.zeros(4, 2)], [frozenset({(3, 1)})]), "are they transposed"),
        (lambda: grammar.corpus(1, seed=0, lengths=(2, 5)), "lengths: got"),
        *((partial(draw, 1, 0, (4, 3)), "lengths: got") for draw in (grammar.corpus, toys.copy, speech.utterances)),
        *((partial(draw, 1, 0, (0, 3)), "lengths: got") for draw in (toys.copy, speech.utterances)),
        (lambda: grammar.corpus(100_000, seed=0, lengths=(3, 3)), "size: no new sentence of 3 words"),
        *((partial(pair.Pair, ("a", "b"), ("c",), {link}), "links: got") for link in ((2, 0), (0, 1), (-1, 0))),
        (lambda: dates.pair(date(2019, 3, 5), "{century}"), "got the field 'century'"),
        *((partial(drawings.drawings, 1, 0, shapes), "shapes") for shapes in ((0, 2), (3, 2), (2, 8))),
        (lambda: drawings.describe([drawings.Shape("red", "ring", 4, i) for i in (2, 0)]), "left to right"),
        (lambda: headlines(1, seed=0, part="valid"), "part: got 'valid', expected one of"),
        *((partial(headlines, 1, 0, places=places), "places: got") for places in ((0, 3), (4, 3))),
        (lambda: stories.where_is_the_person(1, 1, lengths=(0, 5)), "expected 1 <= shortest"),
        (lambda: stories.where_is_the_thing(1, 1, lengths=(1, 5)), "expected 2 <= shortest"),
        (lambda: stories.story_tensors([], stories.story_vocabulary()), "stories: got none"),
        (lambda: AlignedPair(("a",), ("c",), LINK, frozenset()), r"possible: lacks \[\(0, 0\)\]"),
        (lambda: AlignedPair(("a",), ("c",), frozenset(), frozenset({(0, 1)})), "links: got"),
        *((lambda: decode_text("abc"), "got 3 characters"), (lambda: decode_text('a"'), "got 'a\"'")),
        (lambda: build("transformer", 20, 30), "got 'transformer', expected one of"),
        (lambda: chosen(prepare(SETTINGS | QUICK), ("no such one",)), r"got \['no such one'\], which are not among"),
        (lambda: symbol_error_rate([[]], [[]]), "references: got no symbol"),
    ],
    FileNotFoundError: [(lambda: hansards(Path("enfr.src-tgt"), Path("enfr.gold")), r"enfr\.src-tgt")],
    NotImplementedError: [
        *((lambda: Scorer()(torch.zeros(2, 3), KEYS), ""), (lambda: Decoder().start(KEYS, KEYS[:, 0], MASK), "")),
    ],
    RuntimeError: [(lambda kind=kind: kind()(torch.zeros(2, 3), KEYS), "") for kind in (DotScorer, ScaledDotScorer)],
    IndexError: [
        (lambda: Vocabulary(["le"]).decode([9]), "got 9, expected 0 to 4"),
        (lambda: decode([4, 8], Vocabulary(["a", "b", "c"]), ["d"]), "got 8, expected 0 to 7: 7 of the vocabulary and"),
    ],
}


def test_each_is_refused_by_name():
    wrong = []
    for error, call, words in ((error, *row) for error, rows in REFUSALS.items() for row in rows):
        try:
            with pytest.raises(error, match=words or None):
                call()
        except BaseException as failure:  # of any kind: all misses are told at once
            wrong.append(f"{error.__name__}, {words!r}: {failure!r}")
    assert wrong == []
