"""Which determiners begin a noun phrase, and how often, by the phrase's role and the kind of its noun."""

from seq2seq.corpora.grammar import determiner as d
from seq2seq.corpora.grammar.lexicon import NOUNS

MASS = ("stuff", "drink")
# how often each determiner begins a phrase, by role; which possessives suit the noun
OURS = tuple(word for word in d.POSSESSIVES if word.english[0] in ("our", "their", "your"))
POSSESSIVES = {
    "kin": d.POSSESSIVES * 3,
    "clothes": d.POSSESSIVES * 2,
    "person": (),
    "goal": (),
    "event": (),
    "town": (),
}
POSSESSIVES |= {"theme": OURS, "body": OURS, "food": (), "stuff": (), "drink": ()}
FREELY = {
    "subject": ((d.A,) * 4 + (d.EVERY,), (d.SOME, d.MANY, d.SEVERAL, *d.NUMBERS)),
    "object": ((d.A,) * 6 + (d.EVERY,), (d.SOME,) * 4 + (d.MANY, d.SEVERAL, *d.NUMBERS)),
    "negated": ((d.A,) * 5, (d.ANY,) * 5),
    "definite": ((d.A,) * 2, d.NUMBERS[:2]),
    "known": ((), ()),
}
CLEAR = ((d.THE,) * 7 + (d.THIS,), (d.THE,) * 7 + (d.THESE,))
HEADS = {
    (role, kind): tuple(
        CLEAR[plural] + POSSESSIVES.get(kind, d.POSSESSIVES) + (FREELY[role][plural] if kind != "kin" else ())
        for plural in (False, True)
    )
    for role in FREELY
    for kind in NOUNS
}
HEADS |= {("new", kind): ((d.A,), (d.SOME, d.SOME, d.MANY, d.SEVERAL, *d.NUMBERS)) for kind in NOUNS}
STUFFS = {
    "subject": (d.THE, d.THE, d.THIS, *d.POSSESSIVES),
    "object": (d.THE, d.THIS, d.SOME_STUFF, d.SOME_STUFF, d.SOME_STUFF),
    "negated": (d.THE, d.THIS, d.ANY_STUFF, d.ANY_STUFF),
    "definite": (d.THE, d.THE, d.THIS, *d.POSSESSIVES),
    "new": (d.SOME_STUFF,),
    "known": (d.THE,),
}
