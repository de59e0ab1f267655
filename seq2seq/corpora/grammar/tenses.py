"""How often each tense, negation and modal is used, by the tense frame of the sentence."""

# tense, negation, modal, has a chain, has an adverb, number of English words; repeated by weight
GROUPS = {
    "present": (
        *(("present", "", "", False, False, 1),) * 8,
        *(("progressive", "", "", False, False, 2),) * 4,
        ("progressive", "not", "", False, False, 3),
        *(("present", "not", "", False, False, 3),) * 4,
        ("present", "never", "", False, False, 2),
        ("present", "no longer", "", False, False, 3),
        *(("present", "", "", False, True, 2),) * 3,
        *(("present", "", "can", False, False, 2),) * 2,
        ("present", "not", "can", False, False, 2),
        *(("present", "", "must", False, False, 2),) * 2,
        ("present", "not", "must", False, False, 3),
        *(("present", "", "", True, False, 3),) * 3,
        ("present", "not", "", True, False, 5),
    ),
    "past": (
        *(("past", "", "", False, False, 1),) * 9,
        *(("past", "not", "", False, False, 3),) * 4,
        ("past", "never", "", False, False, 2),
        ("past", "", "", False, True, 2),
        *(("past progressive", "", "", False, False, 2),) * 4,
        *(("past", "", "could", False, False, 2),) * 2,
        ("past", "not", "could", False, False, 3),
        *(("past", "", "", True, False, 3),) * 3,
        ("past", "not", "", True, False, 5),
    ),
    "future": (
        *(("future", "", "", False, False, 2),) * 5,
        *(("future", "not", "", False, False, 3),) * 2,
        *(("going to", "", "", False, False, 4),) * 5,
        ("going to", "not", "", False, False, 5),
    ),
}
