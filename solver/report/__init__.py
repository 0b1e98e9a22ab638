"""What a review gives to people: text for a terminal, and marks in the record of the game."""
