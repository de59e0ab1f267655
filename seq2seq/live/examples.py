"""Sentences to begin with, each with its reference, in the words and the grammar that the models have learnt."""

# Each continues the one before; on the way the fixed-vector model loses the sentence.
GROWING = [
    ("the old cat sleeps", "le vieux chat dort"),
    ("in the garden", "dans le jardin"),
    (", and the girl loves the red car", ", et la fille aime la voiture rouge"),
    (", but she is not happy", ", mais elle n' est pas heureuse"),
    ("because her brother lost the keys", "parce que son frère a perdu les clés"),
    ("; the black dog went out", "; le chien noir est sorti"),
    (", and my aunt bought a white umbrella", ", et ma tante a acheté un parapluie blanc"),
]
EXAMPLES = [
    ("the old cat sleeps .", "le vieux chat dort ."),
    ("she did not see the white house .", "elle n' a pas vu la maison blanche ."),
    ("the european economic area is very important .", "la zone économique européenne est très importante ."),
]
