"""A process with limits, in which is read and rendered what learners handed in; none of their code runs there."""
