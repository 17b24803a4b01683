"""Measure a mutation score: how many small changes of the code the tests notice (``make mutants``)."""
