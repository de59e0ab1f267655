"""Names in the gradebook that the tests of the exporters share."""

NAME = "01_small"
EVIL = '=HYPERLINK("http://evil.example","x")'  # what a learner may call themselves
