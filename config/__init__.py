"""What the operator chooses: the defaults, how they are overridden, and what is refused."""
