import torch

from seq2seq.encoders import reverse_within_length
from seq2seq.exercises.order import reverse_source


def test_the_words_are_turned_and_the_padding_stays():
    source = torch.tensor([[4, 5, 6, 0, 0], [7, 8, 9, 4, 5], [6, 0, 0, 0, 0]])
    turned = reverse_source(source, torch.tensor([3, 5, 1]))
    assert turned.tolist() == [[6, 5, 4, 0, 0], [5, 4, 9, 8, 7], [6, 0, 0, 0, 0]]


def test_it_is_what_the_encoder_does_to_vectors():
    source = torch.randint(4, 20, (6, 9))
    lengths = torch.randint(1, 10, (6,))
    assert torch.equal(reverse_source(source, lengths), reverse_within_length(source.unsqueeze(-1), lengths)[..., 0])
