"""Games that were played, decision by decision: what each one lost, and what the cards did. See docs/review.md."""
