"""Pronouns, prepositions, adverbs, fixed phrases and connectives."""

from seq2seq.corpora.grammar.noun_phrase import Phrase, Preposition, Pronoun

SPEAKER, WE, YOU = Pronoun("i", 0, 0, "JE"), Pronoun("we", 2, 2, "nous"), Pronoun("you", 3, 0, "vous")
HE, SHE = Pronoun("he", 1, 0, "il"), Pronoun("she", 1, 1, "elle")
IT = (Pronoun("it", 1, 0, "il"), Pronoun("it", 1, 1, "elle"))
THEY = (Pronoun("they", 4, 2, "ils"), Pronoun("they", 4, 3, "elles"))
HIM, HER = Pronoun("him", 1, 0, "", "HIM", "lui"), Pronoun("her", 1, 1, "", "HER", "lui")
THEM = Pronoun("them", 4, 2, "", "les", "leur")
ME, US = Pronoun("me", 0, 0, "", "ME", "ME"), Pronoun("us", 2, 2, "", "nous", "nous")
YOU_OBJECT = Pronoun("you", 3, 0, "", "vous", "vous")

OF = Preposition(("of",), ("DE",))
TO = Preposition(("to",), ("À",))
BY = Preposition(("by",), ("par",))
IN = Preposition(("in",), ("dans",))
NEAR = Preposition(("near",), ("près", "DE"))
BEHIND = Preposition(("behind",), ("derrière",))
IN_FRONT_OF = Preposition(("in", "front", "of"), ("devant",))
NEXT_TO = Preposition(("next", "to"), ("à", "côté", "DE"))
WITH = Preposition(("with",), ("avec",))
WITHOUT = Preposition(("without",), ("sans",))
FOR = Preposition(("for",), ("pour",))
PLACES = (NEAR, BEHIND, IN_FRONT_OF, NEXT_TO)


def phrase(english: str, french: str, links: str) -> Phrase:
    """A fixed phrase; ``links`` gives the English positions of each French word, as in "2 2 2 0 1"."""
    return Phrase(
        tuple(english.split()),
        tuple(french.split()),
        tuple(tuple(int(position) for position in entry.split("+")) for entry in links.split()),
    )


ADVERBS = (
    phrase("often", "souvent", "0"),
    phrase("always", "toujours", "0"),
    phrase("sometimes", "parfois", "0"),
    phrase("rarely", "rarement", "0"),
)

TIMES: dict[str, dict[int, tuple[Phrase, ...]]] = {  # by tense frame and number of English words
    "present": {
        1: (phrase("now", "maintenant", "0"), phrase("today", "aujourd'hui", "0")),
        2: (phrase("every day", "chaque jour", "0 1"), phrase("every evening", "chaque soir", "0 1")),
        3: (phrase("in the morning", "LE matin", "0+1 2"), phrase("in the afternoon", "LE après-midi", "0+1 2")),
    },
    "past": {
        1: (phrase("yesterday", "hier", "0"),),
        2: (
            phrase("last week", "LA semaine dernière", "0 1 0"),
            phrase("last year", "LA année dernière", "0 1 0"),
            phrase("last month", "LE mois dernier", "0 1 0"),
            phrase("this morning", "CE matin", "0 1"),
        ),
        3: (
            phrase("two days ago", "il y a deux jours", "2 2 2 0 1"),
            phrase("three weeks ago", "il y a trois semaines", "2 2 2 0 1"),
            phrase("ten years ago", "il y a dix ans", "2 2 2 0 1"),
        ),
    },
    "future": {
        1: (phrase("tomorrow", "demain", "0"), phrase("soon", "bientôt", "0")),
        2: (
            phrase("next week", "LA semaine prochaine", "0 1 0"),
            phrase("next year", "LA année prochaine", "0 1 0"),
            phrase("next month", "LE mois prochain", "0 1 0"),
            phrase("this evening", "CE soir", "0 1"),
        ),
        3: (phrase("in two days", "dans deux jours", "0 1 2"), phrase("in ten years", "dans dix ans", "0 1 2")),
    },
}

OPENINGS = (
    phrase("however ,", "cependant ,", "0 1"),
    phrase("unfortunately ,", "malheureusement ,", "0 1"),
    phrase("of course ,", "bien sûr ,", "0+1 0+1 2"),
    phrase("for example ,", "par exemple ,", "0 1 2"),
)

AND, BUT, SO = (phrase(", and", ", et", "0 1"), phrase(", but", ", mais", "0 1"), phrase(", so", ", donc", "0 1"))
SEMICOLON, COMMA, FULL_STOP = phrase(";", ";", "0"), phrase(",", ",", "0"), phrase(".", ".", "0")
AND_VERB = phrase("and", "et", "0")
BECAUSE = phrase("because", "parce QUE", "0 0")
WHEN, IF = phrase("when", "quand", "0"), phrase("if", "SI", "0")
EVEN_IF = phrase("even if", "même SI", "0 1")
THAT = phrase("that", "QUE", "0")
