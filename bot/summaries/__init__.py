"""Summaries: rankers and what they are asked."""
