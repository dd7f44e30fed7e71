"""Delivery: the outbox, and Discord behind one narrow port."""
