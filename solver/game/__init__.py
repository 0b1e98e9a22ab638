"""The rules of the game: values and transitions, in plain Python, without input or output."""
