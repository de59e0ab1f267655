"""What learners hand in, read without trust and mended where the intent is clear."""
