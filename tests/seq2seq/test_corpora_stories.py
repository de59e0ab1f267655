import pytest
import torch

from seq2seq.corpora.stories import (
    PEOPLE,
    PLACES,
    THINGS,
    story_tensors,
    story_vocabulary,
    where_is_the_person,
    where_is_the_thing,
)

TASKS = [where_is_the_person, where_is_the_thing]


def reread(story):
    """Who and what is where, by simulating the sentences alone; None where nobody knows."""
    person_at, holder, lying = {}, {}, {}
    for person, *_, noun in story.sentences:
        words = story.sentences
        if noun in PLACES:
            person_at[person] = noun
        elif noun in holder:
            assert holder.pop(noun) == person, f"{person} puts down what another has: {words}"
            lying[noun] = person_at[person]
        else:
            assert noun in THINGS
            assert noun not in lying or lying[noun] == person_at[person], f"{noun} is elsewhere: {words}"
            lying.pop(noun, None)
            holder[noun] = person
    return person_at | lying | {thing: person_at[person] for thing, person in holder.items()}


@pytest.mark.parametrize("task", TASKS)
def test_the_answer_is_what_the_story_tells(task):
    for story in task(500, seed=1):
        assert reread(story)[story.question[-1]] == story.answer


@pytest.mark.parametrize("task", TASKS)
def test_the_supporting_sentences_alone_tell_the_answer(task):
    for story in task(500, seed=2):
        told = [story.sentences[i] for i in story.support]
        assert story.support == tuple(sorted(set(story.support)))
        assert [noun for *_, noun in told if noun in PLACES] == [story.answer]
        assert story.question[-1] in {word for sentence in told for word in sentence}
        assert len({person for person, *_ in told}) == 1


def test_a_person_is_found_by_one_sentence_and_a_thing_by_two():
    assert {len(story.support) for story in where_is_the_person(100, seed=1)} == {1}
    assert {len(story.support) for story in where_is_the_thing(100, seed=1)} == {2}


def test_a_person_is_where_the_last_walk_went():
    for story in where_is_the_person(200, seed=3):
        person = story.question[-1]
        assert story.support[0] == max(i for i, sentence in enumerate(story.sentences) if sentence[0] == person)


def test_things_are_asked_for_that_are_carried_and_that_were_put_down():
    last = {
        [sentence for sentence in story.sentences if sentence[-1] == story.question[-1]][-1][1]
        for story in where_is_the_thing(300, seed=4)
    }
    assert last == {"picks", "takes", "grabs", "puts", "leaves", "drops"}


@pytest.mark.parametrize("task", TASKS)
def test_lengths_are_those_asked_for(task):
    assert {len(story.sentences) for story in task(200, 1, lengths=(3, 6))} == {3, 4, 5, 6}


@pytest.mark.parametrize(("task", "least"), [(where_is_the_person, 1), (where_is_the_thing, 2)])
def test_the_shortest_story_has_its_support_alone(task, least):
    assert {story.support for story in task(20, 1, lengths=(least, least))} == {tuple(range(least))}
    with pytest.raises(ValueError, match=f"expected {least} <= shortest"):
        task(1, 1, lengths=(least - 1, 5))


@pytest.mark.parametrize("task", TASKS)
def test_a_seed_repeats_the_stories_and_another_does_not(task):
    assert task(20, seed=3) == task(20, seed=3)
    assert task(20, seed=3) != task(20, seed=4)


@pytest.mark.parametrize("task", TASKS)
def test_the_vocabulary_has_every_word(task):
    vocab = story_vocabulary()
    used = {w for story in task(300, 1) for sentence in (*story.sentences, story.question) for w in sentence}
    assert used <= set(vocab.tokens)
    assert {*PEOPLE, *PLACES} <= used


def test_tensors_hold_the_stories():
    vocab, stories = story_vocabulary(), where_is_the_thing(7, 5, lengths=(2, 6))
    tensors = story_tensors(stories, vocab)
    assert tensors.story.shape[:2] == (7, max(len(story.sentences) for story in stories))
    for row, story in enumerate(stories):
        told = [tuple(vocab.decode(ids)) for ids in tensors.story[row].tolist()]
        assert tuple(sentence for sentence in told if sentence) == story.sentences
        assert tuple(vocab.decode(tensors.question[row].tolist())) == story.question
        assert vocab.tokens[tensors.answers[row]] == story.answer
        assert tuple(tensors.support[row].nonzero().flatten().tolist()) == story.support
    assert tensors.story.dtype == torch.long


def test_no_stories_make_no_batch():
    with pytest.raises(ValueError, match="stories: got none"):
        story_tensors([], story_vocabulary())
