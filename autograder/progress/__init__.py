"""How far a learner is, shown below each check in the notebook; graded runs have no part in it."""
