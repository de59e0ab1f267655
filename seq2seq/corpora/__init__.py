"""Where sentence pairs come from: a grammar with exact alignments, and toy tasks."""
