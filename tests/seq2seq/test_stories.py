"""The stories: what they tell, and as tensors."""

import pytest
import torch

from seq2seq.corpora import stories as corpus

TASKS = [corpus.where_is_the_person, corpus.where_is_the_thing]


def reread(story):
    """Who and what is where, by simulating the sentences alone; None where nobody knows."""
    person_at, holder, lying = {}, {}, {}
    for person, *_, noun in story.sentences:
        words = story.sentences
        if noun in corpus.PLACES:
            person_at[person] = noun
        elif noun in holder:
            assert holder.pop(noun) == person, f"{person} puts down what another has: {words}"
            lying[noun] = person_at[person]
        else:
            assert noun in corpus.THINGS
            assert noun not in lying or lying[noun] == person_at[person], f"{noun} is elsewhere: {words}"
            lying.pop(noun, None)
            holder[noun] = person
    return person_at | lying | {thing: person_at[person] for thing, person in holder.items()}


@pytest.mark.parametrize("task", TASKS)
def test_the_answer_is_what_the_story_and_its_supporting_sentences_alone_tell(task):
    used = set()
    for story in task(500, seed=1):
        assert reread(story)[story.question[-1]] == story.answer
        told = [story.sentences[i] for i in story.support]
        assert story.support == tuple(sorted(set(story.support)))
        assert len(story.support) == TASKS.index(task) + 1
        assert [noun for *_, noun in told if noun in corpus.PLACES] == [story.answer]
        assert story.question[-1] in {word for sentence in told for word in sentence}
        assert len({person for person, *_ in told}) == 1
        if task is corpus.where_is_the_person:  # where the last walk went
            walks = [i for i, (person, *_) in enumerate(story.sentences) if person == story.question[-1]]
            assert story.support == (walks[-1],)
        used |= {word for sentence in (*story.sentences, story.question) for word in sentence}
    assert {*corpus.PEOPLE, *corpus.PLACES} <= used <= set(corpus.story_vocabulary().tokens)


def test_things_are_asked_for_that_are_carried_and_that_were_put_down():
    last = {
        [sentence for sentence in story.sentences if sentence[-1] == story.question[-1]][-1][1]
        for story in corpus.where_is_the_thing(300, seed=4)
    }
    assert last == {"picks", "takes", "grabs", "puts", "leaves", "drops"}


@pytest.mark.parametrize(("task", "least"), [(corpus.where_is_the_person, 1), (corpus.where_is_the_thing, 2)])
def test_lengths_are_those_asked_for_and_the_shortest_story_has_its_support_alone(task, least):
    assert {len(story.sentences) for story in task(200, 1, lengths=(3, 6))} == {3, 4, 5, 6}
    assert {story.support for story in task(20, 1, lengths=(least, least))} == {tuple(range(least))}


def test_tensors_hold_the_stories():
    vocab, stories = corpus.story_vocabulary(), corpus.where_is_the_thing(7, 5, lengths=(2, 6))
    tensors = corpus.story_tensors(stories, vocab)
    assert tensors.story.shape[:2] == (7, max(len(story.sentences) for story in stories))
    for row, story in enumerate(stories):
        told = [tuple(vocab.decode(ids)) for ids in tensors.story[row].tolist()]
        assert tuple(sentence for sentence in told if sentence) == story.sentences
        assert tuple(vocab.decode(tensors.question[row].tolist())) == story.question
        assert vocab.tokens[tensors.answers[row]] == story.answer
        assert tuple(tensors.support[row].nonzero().flatten().tolist()) == story.support
    assert tensors.story.dtype == torch.long
