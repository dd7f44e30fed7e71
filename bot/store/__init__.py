"""All of storage: one SQLite file, plain SQL, one module a table or two.

The modules hold functions over a ``Connection``; ``database.Database`` runs them, many reads at
once and many writes in one commit. A use case is one function given to ``read`` or ``write``.
"""
