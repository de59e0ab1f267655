"""What the tests of the models share: a finder of classes, random weights, small models of four kinds, comparison."""

import importlib
import inspect
import pkgutil

import torch
from torch import nn

import seq2seq
from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, DotScorer
from seq2seq.vocab import Vocabulary

PAIRS = reverse(size=5, seed=3, lengths=(2, 7), symbols=6)
VOCAB = Vocabulary.build(pair.source for pair in PAIRS)
SIZE = len(VOCAB)
BATCH = collate(PAIRS, VOCAB, VOCAB)


def library_modules():
    """Every module whose classes others build on: no experiments, no exercises, no specimens of faults."""
    names = [module.name for module in pkgutil.walk_packages(seq2seq.__path__, "seq2seq.")]
    apart = ("seq2seq.experiments", "seq2seq.exercises", "seq2seq.museum", "seq2seq.widgets", "seq2seq.live")
    return [importlib.import_module(name) for name in names if not name.startswith(apart)]


def defined(module):
    """The public classes and functions that the module itself defines."""
    values = [value for value in vars(module).values() if inspect.isclass(value) or inspect.isfunction(value)]
    return [each for each in values if each.__module__ == module.__name__ and not each.__name__.startswith("_")]


def library_classes(kind):
    """Every public class below `kind` that the library defines, by name."""
    classes = {value for module in library_modules() for value in defined(module) if inspect.isclass(value)}
    return sorted((each for each in classes if issubclass(each, kind) and each is not kind), key=lambda k: k.__name__)


def arguments_of(callable_, *, required):
    """The names of its arguments: those without a default, or all."""
    arguments = inspect.signature(callable_).parameters.values()
    arguments = [each for each in arguments if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return [each.name for each in arguments if not required or each.default is each.empty]


def randomise(module, std=0.5):
    """In double precision, every weight random: a bias left at 0 or a gain left at 1 would hide its loss."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=std)
    return module.double()


def sharpen(model):
    """Larger weights, so that random models say different words at different steps."""
    return randomise(model, std=1.0)


def tensors(result):
    """All tensors of a result, flat, whatever tuples they lie in."""
    if isinstance(result, torch.Tensor):
        return [result]
    return [] if result is None else [tensor for part in result for tensor in tensors(part)]


def gradients(outputs, inputs):
    """Of a reading of all outputs, the same in every call; 0 where an input has no part in them."""
    read = sum(part.sin().sum() for part in tensors(outputs) if part.requires_grad)
    parts = torch.autograd.grad(read, inputs, allow_unused=True)
    return [torch.zeros_like(each) if part is None else part for each, part in zip(inputs, parts, strict=True)]


def assert_same(ours, theirs):
    torch.testing.assert_close(tensors(ours), tensors(theirs))


def assert_widened(wide, narrow):
    """The same numbers, and zeros alone on what the axes of the wide ones have more."""
    for ours, theirs in zip(tensors(wide), tensors(narrow), strict=True):
        padding = [(0, more - few) for more, few in zip(ours.shape, theirs.shape, strict=True)]
        flat = [size for pair in reversed(padding) for size in pair]
        torch.testing.assert_close(ours, nn.functional.pad(theirs, flat))


def fixed():
    return Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(SIZE, 5, 6, 8))


def bahdanau():
    return Seq2Seq(Encoder(SIZE, 3, 4), BahdanauDecoder(SIZE, 5, 6, 8, AdditiveScorer(6, 8, 7)))


def luong():
    return Seq2Seq(Encoder(SIZE, 3, 6, bidirectional=False), LuongDecoder(SIZE, 5, 6, 6, DotScorer()))


def feeding():
    encoder = Encoder(SIZE, 3, 4, cell="lstm")
    return Seq2Seq(encoder, InputFeedingDecoder(SIZE, 5, 8, 8, DotScorer(), cell="lstm"))


MODELS = (fixed, bahdanau, luong, feeding)
