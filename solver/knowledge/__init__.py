"""What one seat has seen, and the worlds that fit it."""
