"""Trained models shown in pages and exercises: small models, sentences and their results."""
