"""French verbs: present, imparfait, future, participle.

The persons are numbered je 0, il/elle 1, nous 2, vous 3, ils/elles 4; the familiar *tu* is not used.
"""

from dataclasses import dataclass

from seq2seq.corpora.grammar.morphology import french_plural

# infinitive, present je il nous vous ils, participle, stem of the future
IRREGULAR = """
    être suis est sommes êtes sont été ser
    avoir ai a avons avez ont eu aur
    aller vais va allons allez vont allé ir
    venir viens vient venons venez viennent venu viendr
    revenir reviens revient revenons revenez reviennent revenu reviendr
    souvenir souviens souvient souvenons souvenez souviennent souvenu souviendr
    soutenir soutiens soutient soutenons soutenez soutiennent soutenu soutiendr
    voir vois voit voyons voyez voient vu verr
    boire bois boit buvons buvez boivent bu boir
    dire dis dit disons dites disent dit dir
    croire crois croit croyons croyez croient cru croir
    écrire écris écrit écrivons écrivez écrivent écrit écrir
    construire construis construit construisons construisez construisent construit construir
    peindre peins peint peignons peignez peignent peint peindr
    connaître connais connaît connaissons connaissez connaissent connu connaîtr
    comprendre comprends comprend comprenons comprenez comprennent compris comprendr
    apprendre apprends apprend apprenons apprenez apprennent appris apprendr
    suivre suis suit suivons suivez suivent suivi suivr
    vivre vis vit vivons vivez vivent vécu vivr
    dormir dors dort dormons dormez dorment dormi dormir
    sortir sors sort sortons sortez sortent sorti sortir
    courir cours court courons courez courent couru courr
    rire ris rit rions riez rient ri rir
    sourire souris sourit sourions souriez sourient souri sourir
    ouvrir ouvre ouvre ouvrons ouvrez ouvrent ouvert ouvrir
    offrir offre offre offrons offrez offrent offert offrir
    vouloir veux veut voulons voulez veulent voulu voudr
    pouvoir peux peut pouvons pouvez peuvent pu pourr
    devoir dois doit devons devez doivent dû devr
"""
ROWS = {row.split()[0]: row.split() for row in IRREGULAR.strip().splitlines()}

# stems before a silent ending
SILENT = {"achet": "achèt", "appel": "appell", "protég": "protèg", "espér": "espèr", "lev": "lèv", "rejet": "rejett"}
FUTURE = {"protég": "protéger", "espér": "espérer", "envoy": "enverr"}
REGULAR_IR = {"choisir", "obéir"}
SILENT |= {"essay": "essai", "envoy": "envoi", "nettoy": "nettoi"}


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The forms of one French verb; ``participles`` in the order m, f, m plural, f plural."""

    infinitive: str
    present: tuple[str, ...]
    imparfait: tuple[str, ...]
    future: tuple[str, ...]
    participles: tuple[str, ...]


def present_tense(infinitive: str) -> tuple[tuple[str, ...], str, str]:
    """The present, the participle and the stem of the future of a verb."""
    if infinitive in ROWS:
        _, *present, participle, future = ROWS[infinitive]
        return tuple(present), participle, future
    stem = infinitive[:-2]
    if infinitive.endswith("er"):
        silent = SILENT.get(stem, stem)
        soft = stem + "e" if stem.endswith("g") else stem[:-1] + "ç" if stem.endswith("c") else stem
        future = FUTURE.get(stem, silent + "er")
        return (silent + "e", silent + "e", soft + "ons", stem + "ez", silent + "ent"), stem + "é", future
    if infinitive in REGULAR_IR:
        return tuple(stem + ending for ending in ("is", "it", "issons", "issez", "issent")), stem + "i", infinitive
    if infinitive.endswith("dre"):
        return tuple(stem + ending for ending in ("s", "", "ons", "ez", "ent")), stem + "u", infinitive[:-1]
    raise ValueError(
        f"infinitive: got {infinitive!r}, expected -er, -dre, {sorted(REGULAR_IR)} or a row of IRREGULAR, "
        "because other verbs do not follow a rule."
    )


def conjugate(infinitive: str) -> Paradigm:
    """The paradigm of a verb; the imparfait is built on the *nous* form, except for être."""
    present, participle, future = present_tense(infinitive)
    stem = "ét" if infinitive == "être" else present[2][:-3]
    plain = stem[:-1] + "c" if stem.endswith("ç") else stem[:-1] if stem.endswith("ge") else stem  # before an i
    imparfait = (stem + "ais", stem + "ait", plain + "ions", plain + "iez", stem + "aient")
    endings = ("ai", "a", "ons", "ez", "ont")
    feminine = participle.replace("û", "u") + "e"
    return Paradigm(
        infinitive,
        present,
        imparfait,
        tuple(future + ending for ending in endings),
        (participle, feminine, french_plural(participle), feminine + "s"),
    )
