"""The sites that papers come from while they are new; each is named by a spec such as ``arxiv:cs.CL``."""
