"""Answers to the vocabulary: the way to ids and the way back."""

TASK = "vocabulary"

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
return words"""


def vocabulary(encode: str = ENCODE, decode: str = DECODE) -> str:
    encode, decode = (body.replace("\n", "\n        ") for body in (encode, decode))
    return f"""\
class Vocabulary:
    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = (*SPECIALS, *tokens)
        self._ids = {{token: id for id, token in enumerate(self.tokens)}}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        {encode}

    def decode(self, ids: Iterable[int]) -> list[str]:
        {decode}
"""


LOOP = "for token in tokens:\n    if token in self._ids:\n        found.append(self._ids[token])"
TAKEN = "[table[id] for id in takewhile(lambda id: id != EOS, map(int, ids)) if id not in (PAD, BOS)]"
BY_TABLE = f"from itertools import takewhile\ntable = dict(enumerate(self.tokens))\nreturn {TAKEN}"

WRONG = [
    ("loop without else", "dropped", vocabulary(f"found = []\n{LOOP}\nreturn found")),
    ("small tensors in a dictionary", "hidden: raised.KeyError",
     vocabulary(decode=BY_TABLE.replace("map(int, ids)", "ids"))),
    ("a KeyError for an IndexError", "hidden: error_wrong", vocabulary(decode=BY_TABLE)),
    ("ids kept for each number of tokens", "remembers",
     vocabulary("kept = self.__dict__.setdefault('kept', {})\nreturn kept.setdefault(len(tokens), "
                f"{ENCODE.removeprefix('return ')})")),
    ("ids after <eos> looked up", "hidden: all_looked_up",
     vocabulary(decode=DECODE.replace("for id in ids", "[self.tokens[id] for id in ids]\nfor id in ids"))),
    ("joined and split again", "hidden: length | values",
     vocabulary(decode=DECODE.replace("return words", "return ' '.join(words).split()"))),
    ("<bos> left out in front alone", "hidden: length | values",
     vocabulary(decode=DECODE.replace("id not in (PAD, BOS)", "id != PAD and (words or id != BOS)"))),
]  # fmt: skip

RIGHT = [
    ("comprehension and loop", vocabulary()),
    ("a loop with if", vocabulary(f"found = []\n{LOOP}\n    else:\n        found.append(UNK)\nreturn found")),
    ("by index", vocabulary("return [self.tokens.index(t) if t in self.tokens else UNK for t in tokens]")),
]
