"""Where papers come from, and how they come into the library."""
