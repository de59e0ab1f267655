"""The lexicon: the lines of ``lexicon.tsv``, whose header explains them, as parts of speech."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from seq2seq.corpora.grammar import morphology
from seq2seq.corpora.grammar.morphology import Paradigm
from seq2seq.corpora.grammar.words import Adjective, Determiner, Links, Noun, Phrase, Pronoun, Usage, Verb

FILE = Path(__file__).with_name("lexicon.tsv")
MOST_NAMED = 20  # known words in a message
COLUMNS = ("class", "english", "french", "use", "marks")
MAY_LACK_WORDS = ("determiner", "heads", "kind")
WORDS = (*MAY_LACK_WORDS, "noun", "compound", "name", "adjective", "conjugation", "verb", "pronoun", "tense")
PHRASES = ("city", "country", "preposition", "adverb", "time", "opening", "joint", "relative", "feeling")

PERSONS = ("je", "il", "nous", "vous", "ils")
AGREEMENTS = ("m", "f", "m plural", "f plural")
GENDERS = ("m", "f")
RANKS = ("before", "after", "region", "domain")  # where an adjective stands among several
SUBJECTS = {  # which kinds of nouns may be the subject of a verb
    "people": ("person", "kin"),
    "living": ("person", "kin", "animal"),
    "agents": ("person", "kin", "body"),
    "falling": ("person", "kin", "animal", "thing", "food"),
}
FRAMES = ("alone", "object", "gift", "to", "à", "de", "que", "chain")
PREPOSITIONS = {"à": "À", "to": "À", "de": "DE"}
VERB_MARKS = ("core", "state", "still", "être", "passive", "only", "wholly", "someone", "happens", "doubled")
NEGATIONS = {"not": "pas", "never": "jamais", "no longer": "plus"}
MODALS = {"can": ("pouvoir", "present"), "must": ("devoir", "present"), "could": ("pouvoir", "past")}
SENTENCE_TENSES = ("present", "past", "future")
TENSES = (*SENTENCE_TENSES, "progressive", "past progressive", "going to")


class Lexicon:
    """Words by their English or their use, in the order of the lines, by which sentences are drawn.

    Raises:
        ValueError: a line cannot be read; the message names it.
    """

    def __init__(self, text: str) -> None:
        self.determiners: dict[str, Determiner] = {}
        self.heads: dict[str, tuple[Determiner, ...]] = {}  # by role and number, or kind: which begin a phrase
        self.owners: dict[str, list[str]] = {}  # by kind of noun
        self.nouns: dict[str, list[Noun]] = {}  # by kind
        self.noun: dict[str, Noun] = {}
        self.compounds: dict[str, list[Noun]] = defaultdict(list)  # by noun: what may stand before it
        self.names: dict[str, Noun] = {}
        self.adjectives: dict[tuple[str, str], list[Adjective]] = defaultdict(list)  # by rank and kind
        self.adjective: dict[str, Adjective] = {}
        self.paradigms: dict[str, Paradigm] = {}
        self.verbs: dict[str, Verb] = {}
        self.chains: dict[str, Verb] = {}
        self.subjects: dict[str, list[Pronoun]] = defaultdict(list)
        self.objects: dict[str, Pronoun] = {}
        self.phrases: dict[str, list[Phrase]] = defaultdict(list)  # by class and use
        self.phrase: dict[str, Phrase] = {}
        self.times: dict[tuple[str, int], list[Phrase]] = defaultdict(list)  # by tense and number of words
        self.usages: dict[str, list[Usage]] = defaultdict(list)  # by tense of the sentence
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                try:
                    self._read(*(column.strip() for column in line.split("\t")))
                except ValueError as error:
                    raise ValueError(f"{FILE.name}, line {number}: {error}.") from None

    def _read(self, word_class: str, *columns: str) -> None:
        """One line; its first column says which method reads the others."""
        check("class", [word_class], (*WORDS, *PHRASES))
        if not 1 <= len(columns) <= 4:
            raise ValueError(f"got {len(columns) + 1} columns, expected 2 to {len(COLUMNS)}: {', '.join(COLUMNS)}")
        english, french, use, marks = (*columns, "", "", "")[:4]
        if word_class not in MAY_LACK_WORDS and not (english and french):
            raise ValueError(f"got {english!r} and {french!r}, expected English and French; is a tab missing or extra?")
        if word_class in PHRASES:
            self._phrase(word_class, english, french, use, marks)
        else:
            getattr(self, f"_{word_class}")(english, french, use, marks)

    def _determiner(self, english: str, french: str, name: str, marks: str) -> None:
        forms = [tuple(form.split()) for form in french.split("/")]
        if len(forms) > len(AGREEMENTS):
            raise ValueError(f"french: got {len(forms)} forms, expected at most {', '.join(AGREEMENTS)}")
        forms += [()] * (len(AGREEMENTS) - len(forms))
        checked = check("marks", marks.split(), ("weak", "positive", "possessive", "number"))
        self.determiners[name or english] = Determiner(tuple(english.split()), tuple(forms), checked)

    def _heads(self, english: str, _: str, use: str, marks: str) -> None:
        heads: list[Determiner] = []
        for share in english.split():
            word, _, times = share.partition("*")
            check("english", [word], self.determiners)
            heads += [self.determiners[word]] * whole("english", times or "1")
        self.heads[use] = tuple(heads)

    def _kind(self, kind: str, _: str, owners: str, marks: str) -> None:
        check("use", owners.split(), self.nouns)
        self.owners[kind], self.nouns[kind] = owners.split(), []

    def _noun(self, english: str, french: str, kind: str, marks: str) -> None:
        check("use", [kind], self.nouns)
        noun = self._inflected(english, french, kind, marks)
        self.nouns[kind].append(noun)
        self.noun[" ".join(noun.english[0])] = noun

    def _name(self, english: str, french: str, _: str, marks: str) -> None:
        self.names[english] = self._inflected(english, french, "person", marks)

    def _inflected(self, english: str, french: str, kind: str, marks: str) -> Noun:
        """A noun with its plurals: in English that of its last word, in French of its first (salles de bain)."""
        checked = check("marks", marks.split(), (*GENDERS, "job", "single", "his", "open"))
        singular, plural = slashed(english)
        singulars, heads = slashed(french)
        *before, last = singular.split()
        head, *tail = singulars.split()
        return Noun(
            ((*before, last), (*before, plural or morphology.english_s(last))),
            ((head, *tail), (heads or morphology.french_plural(head), *tail)),
            kind,
            checked,
            one_of("marks", checked, GENDERS) == "f",
        )

    def _compound(self, english: str, *_: str) -> None:
        check("english", english.split(), self.noun)
        if len(english.split()) != 2:
            raise ValueError(f"english: got {english!r}, expected two nouns")
        material, head = english.split()
        self.compounds[head].append(self.noun[material])

    def _adjective(self, english: str, french: str, kinds: str, marks: str) -> None:
        check("use", kinds.split(), self.nouns)
        checked = check("marks", marks.split(), (*RANKS, "constant", "passing"))
        rank = one_of("marks", checked, RANKS)
        english, comparative = slashed(english)
        masculine, feminine = slashed(french)
        forms = morphology.agreeing(masculine, feminine or morphology.french_feminine(masculine))
        junction = masculine.upper() if masculine.upper() in morphology.FORMS else masculine
        adjective = Adjective(english, comparative, forms, rank == "before", junction, checked)
        self.adjective[english] = adjective
        for kind in kinds.split():
            self.adjectives[rank, kind].append(adjective)

    def _conjugation(self, _: str, infinitive: str, present: str, stems: str) -> None:
        if (len(present.split()), len(stems.split())) != (len(PERSONS), 2):
            raise ValueError(
                f"got {present!r} and {stems!r}, expected the forms of {', '.join(PERSONS)}, and in the next column "
                "the participle and the stem of the future"
            )
        self.paradigms[infinitive] = morphology.conjugate(infinitive, present, *stems.split())

    def _verb(self, english: str, french: str, use: str, marks: str) -> None:
        subjects, frame = (*use.split(), "", "")[:2]
        objects = use.split()[2:]
        check("use", [subjects], SUBJECTS)
        check("use", [frame], FRAMES)
        check("use", objects, PREPOSITIONS if frame == "chain" else self.nouns)
        checked = check("marks", marks.split(), VERB_MARKS)
        forms, *particle = english.split()
        base, pasts = slashed(forms)
        past, _, participle = pasts.partition("/")
        past = past or morphology.english_past(base)
        infinitive, *tail = french.removeprefix("se ").split()
        if infinitive not in self.paradigms:
            self.paradigms[infinitive] = morphology.conjugate(infinitive, *morphology.regular(infinitive))
        ing = morphology.english_ing(base, "doubled" in checked)
        (self.chains if frame == "chain" else self.verbs)[" ".join((base, *particle))] = Verb(
            (base, morphology.english_s(base), past, ing, participle or past),
            tuple(particle),
            self.paradigms[infinitive],
            tuple(tail),
            french.startswith("se "),
            PREPOSITIONS.get("".join(objects) if frame == "chain" else frame, ""),
            SUBJECTS[subjects],
            frame,
            tuple(objects),
            checked,
        )

    def _pronoun(self, english: str, french: str, use: str, marks: str) -> None:
        role, _, person = use.partition(" ")
        check("use", [role], ("subject", "object"))
        check("use", [person], PERSONS)
        check("marks", [marks], AGREEMENTS)
        first, second = slashed(french)
        pronoun = Pronoun(english, PERSONS.index(person), AGREEMENTS.index(marks), first, second)
        if role == "subject":
            self.subjects[english].append(pronoun)
        else:
            self.objects[english] = pronoun

    def _phrase(self, word_class: str, english: str, french: str, use: str, marks: str) -> None:
        source, target = tuple(english.split()), tuple(french.split())
        links: list[Links] = [(position,) for position in range(len(source))]
        if word_class == "preposition":
            links = [tuple(range(len(source)))] * len(target)
        elif marks:
            links = [tuple(whole("marks", position) for position in entry.split("+")) for entry in marks.split()]
        if len(links) != len(target) or max(position for entry in links for position in entry) >= len(source):
            raise ValueError(f"marks: got {marks!r}, expected for each word of {french!r} positions in {english!r}")
        phrase = Phrase(source, target, tuple(links))
        self.phrases[f"{word_class} {use}".strip()].append(phrase)
        self.phrase[english] = phrase
        if word_class == "time":
            check("use", [use], SENTENCE_TENSES)
            self.times[use, len(source)].append(phrase)

    def _tense(self, english: str, _: str, use: str, marks: str) -> None:
        weight, *manner = (mark.strip() for mark in marks.split(","))
        times = whole("marks", weight)
        check("use", [use], SENTENCE_TENSES)
        checked = check("marks", manner, (*TENSES, *NEGATIONS, *MODALS, "chain", "adverb"))
        negation, modal = ("".join(checked & words.keys()) for words in (NEGATIONS, MODALS))
        tense = one_of("marks", checked, TENSES)
        usage = Usage(len(english.split()), tense, negation, modal, "chain" in checked, "adverb" in checked)
        self.usages[use] += [usage] * times


def slashed(entry: str) -> tuple[str, str]:
    """What stands before the slash of ``man/men``, and what follows it, if anything does."""
    first, _, second = entry.partition("/")
    if not first.strip():
        raise ValueError(f"got {entry!r}, expected a word before the slash")
    return first, second


def check(column: str, words: Sequence[str], known: Collection[str]) -> frozenset[str]:
    """The words, each of which must be known."""
    for word in words:
        if word not in known:
            expected = f"one of {', '.join(known)}" if len(known) <= MOST_NAMED else "a word of a line above"
            raise ValueError(f"{column}: got {word!r}, expected {expected}")
    return frozenset(words)


def one_of(column: str, words: Collection[str], choices: Iterable[str]) -> str:
    """The one of the choices that is among the words."""
    chosen = [choice for choice in choices if choice in words]
    if len(chosen) != 1:
        raise ValueError(f"{column}: got {' '.join(sorted(words))!r}, expected exactly one of {', '.join(choices)}")
    return chosen[0]


def whole(column: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{column}: got {text!r}, expected a whole number")
    return int(text)


LEXICON = Lexicon(FILE.read_text(encoding="utf-8-sig"))
