"""How papers are written down: one module a format, each from bytes to raw papers."""
