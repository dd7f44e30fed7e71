"""Paper Round: digests of research papers for Discord."""
