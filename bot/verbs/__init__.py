"""The verbs of the command line, a room for each kind; ``bot.__main__`` gathers them."""
