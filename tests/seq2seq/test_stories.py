"""The stories: what they tell, named and anonymous, as tensors; and the networks that read them or keep stacks."""

import pytest
import torch
from equations import mixture
from small_models import assert_same, randomise

from seq2seq.beyond.memory_network import AdjacentMemoryNetwork, LayerwiseMemoryNetwork, linear_hop
from seq2seq.beyond.stack_rnn import EMPTY, POP, PUSH, StackRNN, push_and_pop
from seq2seq.corpora import stories as corpus
from seq2seq.corpora.anonymous import MARKERS, anonymous, reading_vocabulary, readings
from seq2seq.experiments import reading

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
    return person_at | lying | {item: person_at[person] for item, person in holder.items()}


@pytest.mark.parametrize("task", TASKS)
def test_the_answer_is_what_the_story_and_its_supporting_sentences_alone_tell(task):
    used = set()
    for story in task(500, seed=1):
        assert reread(story)[story.question[-1]] == story.answer
        sentences = [story.sentences[i] for i in story.support]
        assert story.support == tuple(sorted(set(story.support)))
        assert len(story.support) == TASKS.index(task) + 1
        assert [noun for *_, noun in sentences if noun in corpus.PLACES] == [story.answer]
        assert story.question[-1] in {word for sentence in sentences for word in sentence}
        assert len({person for person, *_ in sentences}) == 1
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
        sentences = [tuple(vocab.decode(ids)) for ids in tensors.story[row].tolist()]
        assert tuple(sentence for sentence in sentences if sentence) == story.sentences
        assert tuple(vocab.decode(tensors.question[row].tolist())) == story.question
        assert vocab.tokens[tensors.answers[row]] == story.answer
        assert tuple(tensors.support[row].nonzero().flatten().tolist()) == story.support
    assert tensors.story.dtype == torch.long


STORIES = corpus.where_is_the_person(40, 3)


def test_an_anonymous_story_keeps_its_shape_and_its_answer():
    named = {*corpus.PEOPLE, *corpus.PLACES}
    for story, hidden in zip(STORIES, anonymous(STORIES, 5), strict=True):
        markers = {}
        for words, others in zip((*story.sentences, story.question), (*hidden.sentences, hidden.question), strict=True):
            for word, other in zip(words, others, strict=True):
                assert (other in MARKERS) == (word in named)
                assert markers.setdefault(word, other) == other
        assert len(set(markers.values())) == len(markers)
        assert hidden.answer == markers[story.answer]
        assert hidden.support == story.support


def test_a_marker_means_something_else_in_every_story_and_no_word_of_a_reading_is_unknown():
    assert len({story.answer for story in anonymous([STORIES[0]] * 50, 5)}) > 5
    batch = readings(anonymous(STORIES, 5), reading_vocabulary())
    assert not (batch.text == reading_vocabulary().encode(["?"])[0]).any()


def test_the_support_covers_the_words_of_the_telling_sentence():
    story = corpus.Story((("@1", "runs"), ("@2", "walks", "to", "the", "@3")), ("where", "is", "@2"), "@3", (1,))
    batch = readings([story], reading_vocabulary())
    assert batch.support.tolist() == [[False] * 2 + [True] * 5]
    assert batch.text_lengths.tolist() == [7]


def test_the_kept_reader_answers_and_its_question_and_text_share_the_embedding():
    reader = reading.load_trained()
    stories = readings(anonymous(STORIES, 6), reading_vocabulary())
    assert reading.evaluate(reader, stories)["accuracy"] > 0.8
    assert reader.question_encoder.embedding is reader.text_encoder.embedding


STORY = torch.tensor([[[4, 5, 6, 7], [8, 5, 0, 0], [9, 10, 4, 0]], [[10, 4, 0, 0], [5, 9, 7, 0], [0, 0, 0, 0]]])
QUESTION = torch.tensor([[4, 6, 0], [5, 7, 9]])


def test_a_hop_without_its_softmax_weighs_by_the_scores():
    query, keys, values = torch.randn(2, 3), torch.randn(2, 4, 3), torch.randn(2, 4, 5)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    output, scores = linear_hop(query, keys, values, mask)
    for row, length in enumerate((4, 2)):
        expected = keys[row, :length] @ query[row]
        torch.testing.assert_close(scores[row, :length], expected)
        torch.testing.assert_close(output[row], mixture(expected, values[row, :length]))
    assert scores[~mask].eq(0).all()


def test_a_network_without_softmax_is_linear_in_the_question():
    for kind in (AdjacentMemoryNetwork, LayerwiseMemoryNetwork):
        network = randomise(kind(11, 3, 2, 7))
        assert torch.autograd.gradcheck(
            lambda *_, network=network: network(STORY, QUESTION, linear_hop), tuple(network.parameters()), atol=1e-4
        )
    logits, scores = network(STORY, QUESTION, linear_hop)
    with torch.no_grad():
        network.question.words.weight.mul_(3)
    assert_same(network(STORY, QUESTION, linear_hop), (3 * logits, 3 * scores))


def test_pure_actions_are_those_of_a_list():
    stack, expected = torch.full((1, 1, 6), EMPTY), []
    for step, action in enumerate([PUSH, PUSH, POP, PUSH, PUSH, POP, POP, POP, POP, PUSH]):
        value = (step + 1) / 10
        if action == PUSH:
            expected.insert(0, value)
        elif expected:
            expected.pop(0)
        stack = push_and_pop(stack, torch.tensor([[value]]), torch.eye(2)[action].expand(1, 1, 2))
        torch.testing.assert_close(stack[0, 0], torch.tensor(expected + [EMPTY] * (6 - len(expected))))


def test_rounded_actions_are_whole_and_equal_sure_ones():
    network, ids = randomise(StackRNN(4, 6, 2, 3)), torch.randint(4, (3, 5))
    _, actions = network.rounded(ids)
    assert set(actions.flatten().tolist()) == {0.0, 1.0}
    assert actions.sum(-1).eq(1).all()
    with torch.no_grad():
        network.action_layer.weight.mul_(1e6)
        network.action_layer.bias.mul_(1e6)
    torch.testing.assert_close(network(ids), network.rounded(ids))
