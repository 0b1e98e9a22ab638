"""Jobs and chunks in a database: SQLite by default, PostgreSQL by URL.

Nothing else of the project is durable: engines and queues may die as they like. A chunk is leased to one owner for some
time, and what came of it is kept in one transaction with its being done, so that every record is answered exactly once
whoever is killed. The database's own clock decides when a lease has run out.
"""

from __future__ import annotations

from solver.batch.store_answers import Answers
from solver.batch.store_leases import Leases
from solver.batch.store_results import Results


class Store(Leases, Results, Answers):
    """The database of jobs. Safe to use from several processes and threads."""
