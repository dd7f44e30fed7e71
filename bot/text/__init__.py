"""Text: cleaning, TeX, words and sentences."""
