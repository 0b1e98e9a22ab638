"""Text and documents for the values of `solver.game`."""
