"""The learner's progress, shown below each check in the notebook; grading does not use it."""
