"""Digests: who gets which papers when, and the composing of editions."""
