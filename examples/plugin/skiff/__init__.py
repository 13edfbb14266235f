"""A survey boat for Volery; what it brings stands in pyproject.toml."""
