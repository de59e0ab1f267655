"""Adjectives by their position in French and by what they can describe.

A row reads ``english french feminine``; the feminine is omitted if regular.
``big/bigger`` gives a one-word comparative.
"""

BEFORE = (
    ("person kin animal", "old/older vieux vieille; young/younger jeune; beautiful beau belle; good bon bonne"),
    ("person kin animal food thing clothes vehicle place town goal part", "big/bigger grand; small/smaller petit"),
    ("text thing clothes vehicle place town goal part", "old/older vieux vieille; beautiful beau belle"),
    ("text thing clothes vehicle place town goal part", "pretty/prettier joli"),
    ("text thing clothes vehicle place town goal part body theme trouble event", "new/newer nouveau nouvelle"),
    ("food drink stuff theme text", "good bon bonne; bad mauvais"),
    ("text theme event", "long/longer long longue"),
)

AFTER = (
    ("person kin", "rich/richer riche; poor/poorer pauvre; intelligent intelligent; famous célèbre; honest honnête"),
    ("person kin", "shy timide; brave courageux; polite poli; funny drôle"),
    ("person kin animal", "sad triste; happy heureux; tired fatigué; sick malade; strong/stronger fort; calm calme"),
    ("person kin animal", "curious curieux; lazy paresseux; free libre"),
    ("animal", "dangerous dangereux; white blanc blanche; black noir; fast/faster rapide"),
    ("thing clothes vehicle", "red rouge; blue bleu; green vert; white blanc blanche; black noir; yellow jaune"),
    ("thing clothes vehicle", "expensive cher; modern moderne; rare rare"),
    ("thing clothes vehicle place town goal part", "dirty sale; clean propre"),
    ("thing", "heavy/heavier lourd; broken cassé; empty vide; useful utile"),
    ("vehicle", "fast/faster rapide"),
    ("text", "interesting intéressant; strange étrange; funny drôle; famous célèbre"),
    ("food drink stuff", "fresh frais fraîche; delicious délicieux"),
    ("drink stuff", "cold froid; hot chaud"),
    ("place town goal", "modern moderne; quiet tranquille; dark sombre; famous célèbre; empty vide"),
    ("part", "open ouvert; white blanc blanche; green vert"),
    ("body", "powerful puissant; rich/richer riche; independent indépendant; modern moderne"),
    ("theme trouble event", "important important; difficult difficile; necessary nécessaire; complex complexe"),
    ("theme trouble event", "ambitious ambitieux; useful utile; clear clair; interesting intéressant"),
)

DOMAIN = """economic économique; political politique; social social; financial financier; military militaire;
    industrial industriel; cultural culturel; agricultural agricole; legal juridique"""

REGION = """european européen; french français; american américain; international international; national national;
    german allemand; regional régional; local local"""
