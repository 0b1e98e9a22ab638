"""Commands of ``rightbower``, a module for each subject; `solver.cli` puts them together."""
