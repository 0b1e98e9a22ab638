"""What a position is worth: analyses, and the documents that carry them."""
