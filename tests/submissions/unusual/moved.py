"""Honest notebooks whose cells were moved, split, merged, copied or deleted."""

import copy

from unusual.notebook import RELEASED, at, cell, honest, own, prefixed, put, text, without_metadata


@honest
def split_between_class_and_import(notebook):
    one = cell(notebook, "masked_softmax")
    helper = "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n"
    source = text(one).replace("torch.finfo(scores.dtype).min", "lowest_of(scores)")
    assert "lowest_of" in source
    first = copy.deepcopy(one) | {"source": helper, "id": "half"}
    one["source"] = source
    notebook["cells"].insert(at(notebook, "masked_softmax"), first)
    return notebook


def with_a_helper(notebook, **place):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.finfo(scores.dtype).min", "lowest_of(scores)")
    return put(notebook, "def lowest_of(scores):\n    return torch.finfo(scores.dtype).min\n", **place)


@honest
def helper_in_a_cell_above(notebook):
    return with_a_helper(notebook, before="masked_softmax")


@honest
def helper_in_a_cell_below(notebook):
    return with_a_helper(notebook, after="masked_softmax")


@honest
def helper_below_the_checks(notebook):
    return with_a_helper(notebook, after="masked_softmax_hidden")


@honest
def helper_at_the_very_end(notebook):
    return with_a_helper(notebook, after="attend_hidden")


@honest
def constant_below_the_checks(notebook):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.finfo(scores.dtype).min", "LOWEST[scores.dtype]")
    lowest = "LOWEST = {kind: torch.finfo(kind).min for kind in (torch.float16, torch.float32, torch.float64)}"
    return put(notebook, lowest, after="masked_softmax_hidden")


@honest
def import_below_the_checks(notebook):
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.softmax", "F.softmax")
    return put(notebook, "import torch.nn.functional as F", after="masked_softmax_hidden")


def with_the_answer_elsewhere(notebook, grade_id, **place):
    one = cell(notebook, grade_id)
    answer, one["source"] = text(one), RELEASED[grade_id]
    return put(notebook, answer, **place)


@honest
def answer_in_a_new_cell_above(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", before="dot_scorer")


@honest
def answer_in_a_new_cell_below(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", after="dot_scorer")


@honest
def answer_in_a_new_cell_below_the_checks(notebook):
    return with_the_answer_elsewhere(notebook, "dot_scorer", after="dot_scorer_hidden")


@honest
def answer_in_a_new_cell_at_the_end(notebook):
    return with_the_answer_elsewhere(notebook, "masked_softmax", after="attend_hidden")


@honest
def answer_in_the_cell_of_another(notebook):
    one, other = cell(notebook, "dot_scorer"), cell(notebook, "scaled_dot_scorer")
    other["source"] = text(one) + "\n\n\n" + text(other)
    one["source"] = RELEASED["dot_scorer"]
    return notebook


@honest
def cells_without_metadata_and_answer_elsewhere(notebook):
    return without_metadata(with_the_answer_elsewhere(notebook, "dot_scorer", after="attend_hidden"))


@honest
def cells_without_metadata_and_helper_below(notebook):
    return without_metadata(with_a_helper(notebook, after="attend_hidden"))


@honest
def answer_cell_deleted_and_pasted_anew(notebook):
    place = at(notebook, "dot_scorer")
    notebook["cells"][place] = own(text(notebook["cells"][place]))
    return notebook


@honest
def blank_copy_kept_below(notebook):
    one = cell(notebook, "dot_scorer")
    blank = copy.deepcopy(one) | {"id": "kept"}
    blank["source"] = RELEASED["dot_scorer"]
    notebook["cells"].insert(at(notebook, "dot_scorer") + 1, blank)
    return notebook


@honest
def blank_copy_kept_at_the_end(notebook):
    blank = copy.deepcopy(cell(notebook, "dot_scorer")) | {"id": "kept", "source": RELEASED["dot_scorer"]}
    notebook["cells"].append(blank)
    return notebook


@honest
def broken_versions_kept_above(notebook):
    broken = "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n        return 0\n"
    return put(put(notebook, broken, before="dot_scorer"), broken.replace("0", "1"), before="dot_scorer")


@honest
def class_twice_in_one_cell(notebook):
    return prefixed(
        notebook, "dot_scorer", "class DotScorer(Scorer):\n    def score(self, q, k):\n        return 0\n\n\n"
    )


@honest
def two_answers_in_one_cell(notebook):
    first, second = cell(notebook, "dot_scorer"), notebook["cells"].pop(at(notebook, "scaled_dot_scorer"))
    first["source"] = text(first) + "\n\n\n" + text(second)
    return notebook


@honest
def merged_downwards(notebook):
    second = cell(notebook, "scaled_dot_scorer")
    second["source"] = text(cell(notebook, "dot_scorer")) + "\n\n\n" + text(second)
    notebook["cells"].pop(at(notebook, "dot_scorer"))
    return notebook


@honest
def merged_with_its_checks(notebook):
    one = cell(notebook, "dot_scorer")
    for name in ("dot_scorer_visible", "dot_scorer_hidden"):
        one["source"] = text(one) + "\n\n" + text(notebook["cells"].pop(at(notebook, name)))
    return notebook


@honest
def merged_across_checks(notebook):
    start, end = at(notebook, "weighted_sum_loop"), at(notebook, "weighted_sum_hidden")
    merged = [one for one in notebook["cells"][start : end + 1] if one["cell_type"] == "code"]
    notebook["cells"][start]["source"] = "\n\n".join(text(one) for one in merged)
    del notebook["cells"][start + 1 : end + 1]
    return notebook


@honest
def merged_into_the_setup(notebook):
    setup = cell(notebook, "setup")
    setup["source"] = text(setup) + "\n\n" + text(notebook["cells"].pop(at(notebook, "dot_scorer")))
    return notebook


@honest
def merged_into_a_check(notebook):
    check = cell(notebook, "dot_scorer_visible")
    check["source"] = text(notebook["cells"].pop(at(notebook, "dot_scorer"))) + "\n\n" + text(check)
    return notebook


@honest
def everything_in_one_cell(notebook):
    code = "\n\n\n".join(text(one) for one in notebook["cells"] if one["cell_type"] == "code")
    return notebook | {"cells": [own(code)]}


@honest
def code_cells_alone(notebook):
    return notebook | {"cells": [one for one in notebook["cells"] if one["cell_type"] == "code"]}


@honest
def imports_added_to_the_setup(notebook):
    setup = cell(notebook, "setup")
    setup["source"] = text(setup) + "\nimport torch.nn.functional as F"
    one = cell(notebook, "masked_softmax")
    one["source"] = text(one).replace("torch.softmax", "F.softmax")
    return notebook


@honest
def imports_above_the_setup(notebook):
    return prefixed(put(notebook, "import torch.nn.functional as F", before="setup"), "attend", "F.softmax\n")


@honest
def check_edited_for_debugging(notebook):
    return prefixed(notebook, "dot_scorer_visible", "print(DotScorer)\n")


@honest
def all_checks_deleted(notebook):
    kept = [one for one in notebook["cells"] if not one["metadata"].get("nbgrader", {}).get("grade")]
    return notebook | {"cells": kept}


@honest
def all_answers_at_the_top(notebook):
    answers = [one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("solution")]
    rest = [one for one in notebook["cells"] if one not in answers]
    return notebook | {"cells": answers + rest}


@honest
def all_answers_at_the_end(notebook):
    answers = [one for one in notebook["cells"] if one["metadata"].get("nbgrader", {}).get("solution")]
    rest = [one for one in notebook["cells"] if one not in answers]
    return notebook | {"cells": rest + answers}


@honest
def answer_of_type_raw(notebook):
    one = cell(notebook, "attend")
    one["cell_type"] = "raw"
    return notebook


@honest
def answer_fenced_in_markdown(notebook):
    one = cell(notebook, "attend")
    one |= {"cell_type": "markdown", "source": f"```python\n{text(one)}\n```"}
    return notebook


@honest
def check_run_once_more(notebook):
    return prefixed(
        notebook,
        "masked_softmax",
        'from autograder.tasks.scorers import check\ncheck("dot_scorer", DotScorer)\n',
    )
