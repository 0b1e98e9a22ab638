"""Batches over HTTP: files that arrive, the jobs that are made of them, and what is handed out of those."""
