"""Sources of sentence pairs: a grammar with exact alignments, and toy tasks."""
