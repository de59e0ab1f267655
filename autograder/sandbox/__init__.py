"""Where learners' code runs: a box that holds nothing worth stealing, and the wire that connects it."""
