"""The tasks of the exercises, one file for each; how to write one is told in AUTHORING.md."""

from autograder.progress.kernel_hook import follow

follow()
