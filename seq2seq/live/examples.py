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
# The phrase of Bahdanau et al. (2015, figure 3), alone and in the agreement on it; what tutorials begin with; then
# what a French word order, a negation and a possessive do to the weights.
EXAMPLES = [
    ("the old cat sleeps .", "le vieux chat dort ."),
    ("the european economic area is very important .", "la zone économique européenne est très importante ."),
    (
        "our government supported the agreement of the european economic area .",
        "notre gouvernement a soutenu l' accord de la zone économique européenne .",
    ),
    ("i am a student .", "je suis étudiant ."),
    ("she is eating an apple .", "elle mange une pomme ."),
    ("she did not see the white house .", "elle n' a pas vu la maison blanche ."),
    ("my mother 's house is white .", "la maison de ma mère est blanche ."),
]
