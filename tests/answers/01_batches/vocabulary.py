"""Answers to the vocabulary: the way to ids and the way back."""

TASK, CHECKS, PARTS = "vocabulary", "vocabulary", ("Vocabulary",)

ENCODE = "return [self._ids.get(token, UNK) for token in tokens]"
DECODE = """\
words = []
for id in ids:
    id = int(id)
    if id == EOS:
        break
    if not 0 <= id < len(self.tokens):
        raise IndexError(f"no token has id {id}")
    if id not in (PAD, BOS):
        words.append(self.tokens[id])
return words
"""


def vocabulary(encode: str = ENCODE, decode: str = DECODE) -> str:
    bodies = [
        "".join(f"        {line}\n" for line in body.strip("\n").split("\n") if line.strip())
        for body in (encode, decode)
    ]
    return f"""\
class Vocabulary:
    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = (*SPECIALS, *tokens)
        self._ids = {{token: id for id, token in enumerate(self.tokens)}}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Iterable[str]) -> list[int]:
{bodies[0]}
    def decode(self, ids: Iterable[int]) -> list[str]:
{bodies[1]}"""


WRONG = [
    (
        "unknown words dropped",
        "visible",
        "an unknown word is left out",
        vocabulary("return [self._ids[token] for token in tokens if token in self._ids]"),
    ),
    (
        "unknown is padding",
        "visible",
        "gets the id of padding",
        vocabulary("return [self._ids.get(token, 0) for token in tokens]"),
    ),
    (
        "unknown is None",
        "visible",
        ("None among them", "<unk>"),
        vocabulary("return [self._ids.get(token) for token in tokens]"),
    ),
    (
        "KeyError",
        "visible",
        ("raised KeyError", "at your line"),
        vocabulary("return [self._ids[token] for token in tokens]"),
    ),
    (
        "unknown past the end",
        "visible",
        "an id past the end of the table",
        vocabulary("return [self._ids.get(token, len(self)) for token in tokens]"),
    ),
    (
        "unknown is the end",
        "visible",
        "gets the id of <eos>",
        vocabulary("return [self._ids.get(token, EOS) for token in tokens]"),
    ),
    (
        "counted from 0",
        "visible",
        "the ids count from 0",
        vocabulary("return [self._ids[t] - len(SPECIALS) if t in self._ids else UNK for t in tokens]"),
    ),
    (
        "marks added",
        "visible",
        "<bos> and <eos> are added",
        vocabulary("return [BOS, *(self._ids.get(token, UNK) for token in tokens), EOS]"),
    ),
    (
        "end added",
        "visible",
        "<eos> is added",
        vocabulary("return [*(self._ids.get(token, UNK) for token in tokens), EOS]"),
    ),
    (
        "a set of ids",
        "visible",
        "a sentence may repeat a word",
        vocabulary("return list(dict.fromkeys(self._ids.get(token, UNK) for token in tokens))"),
    ),
    (
        "first token only",
        "visible",
        "only the first token",
        vocabulary("for token in tokens:\n    return [self._ids.get(token, UNK)]"),
    ),
    (
        "a tensor",
        "visible",
        "a list of whole numbers",
        vocabulary("import torch\nreturn torch.tensor([self._ids.get(token, UNK) for token in tokens])"),
    ),
    ("no return", "visible", "is the `return` missing?", vocabulary("[self._ids.get(token, UNK) for token in tokens]")),
    (
        "marks are no tokens",
        "hidden",
        ("marks among the tokens", "another list"),
        vocabulary("return [self._ids[t] if self._ids.get(t, 0) > 3 else UNK for t in tokens]"),
    ),
    (
        "goes on after the end",
        "visible",
        "what stands after <eos> is read as well",
        vocabulary(decode="return [self.tokens[id] for id in ids if id not in (PAD, BOS, EOS)]"),
    ),
    (
        "every mark kept",
        "visible",
        "every mark is kept",
        vocabulary(decode="return [self.tokens[id] for id in ids]"),
    ),
    (
        "end kept",
        "visible",
        "<eos> itself is among them",
        vocabulary(
            decode="words = []\nfor id in ids:\n    if id not in (PAD, BOS):\n        words.append(self.tokens[id])\n"
            "    if id == EOS:\n        break\nreturn words"
        ),
    ),
    (
        "beginning kept",
        "visible",
        "<bos> is kept",
        vocabulary(decode=DECODE.replace("(PAD, BOS)", "(PAD,)")),
    ),
    (
        "unknown left out",
        "visible",
        "<unk> is left out",
        vocabulary(decode=DECODE.replace("(PAD, BOS)", "(PAD, BOS, UNK)")),
    ),
    (
        "the last end",
        "visible",
        "the first one ends the sentence",
        vocabulary(
            decode="ids = list(ids)\nlast = len(ids) - 1 - ids[::-1].index(EOS) if EOS in ids else len(ids)\n"
            "return [self.tokens[id] for id in ids[:last] if id not in (PAD, BOS, EOS)]"
        ),
    ),
    (
        "padding kept",
        "hidden",
        "padding is kept",
        vocabulary(decode=DECODE.replace("(PAD, BOS)", "(BOS,)")),
    ),
    (
        "padding ends it",
        "hidden",
        "padding ends it",
        vocabulary(decode=DECODE.replace("id == EOS", "id in (EOS, PAD)")),
    ),
    (
        "first dropped always",
        "visible",
        "the first token is always dropped",
        vocabulary(decode=DECODE.replace("in ids:", "in list(ids)[1:]:")),
    ),
    (
        "one text",
        "visible",
        "a list of texts",
        vocabulary(decode=DECODE.replace("return words", "return ' '.join(words)")),
    ),
    ("ids returned", "visible", "a list of texts", vocabulary(decode=DECODE.replace("self.tokens[id]", "id"))),
    (
        "no end, no words",
        "visible",
        ("raised ValueError", "at your line"),
        vocabulary(
            decode="ids = list(ids)\nreturn [self.tokens[id] for id in ids[:ids.index(EOS)] if id not in (PAD, BOS)]"
        ),
    ),
    (
        "negative ids",
        "hidden",
        "Python counts negative places from the end",
        vocabulary(decode=DECODE.replace("not 0 <= id < len(self.tokens)", "id >= len(self.tokens)")),
    ),
    (
        "foreign ids pass",
        "hidden",
        "no word has that id",
        vocabulary(
            decode=DECODE.replace("    if not 0 <= id < len(self.tokens):\n", "    if id >= len(self):\n").replace(
                'raise IndexError(f"no token has id {id}")', "continue"
            )
        ),
    ),
    (
        "a dictionary by id",
        "hidden",
        ("a row of a tensor", "raised KeyError"),
        vocabulary(
            decode="table = dict(enumerate(self.tokens))\nwords = []\nfor id in ids:\n"
            "    if id == EOS:\n        break\n"
            "    if id not in (PAD, BOS):\n        words.append(table[id])\nreturn words"
        ),
    ),
]

RIGHT = [
    ("comprehension and loop", vocabulary()),
    (
        "a loop with if",
        vocabulary(
            "ids = []\nfor token in tokens:\n    if token in self._ids:\n        ids.append(self._ids[token])\n"
            "    else:\n        ids.append(UNK)\nreturn ids"
        ),
    ),
    (
        "by index in the tuple",
        vocabulary("return [self.tokens.index(token) if token in self.tokens else UNK for token in tokens]"),
    ),
    (
        "cut, then name",
        vocabulary(
            decode="ids = [int(id) for id in ids]\nif EOS in ids:\n    ids = ids[:ids.index(EOS)]\n"
            "if ids and not 0 <= min(ids) <= max(ids) < len(self):\n    raise IndexError('a foreign id')\n"
            "return [self.tokens[id] for id in ids if id > EOS]"
        ),
    ),
    (
        "a dictionary, whose KeyError will do",
        vocabulary(
            decode="from itertools import takewhile\ntable = dict(enumerate(self.tokens))\n"
            "return [table[id] for id in takewhile(lambda id: id != EOS, map(int, ids)) if id not in (PAD, BOS)]"
        ),
    ),
]
