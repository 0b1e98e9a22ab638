"""What was worked out in a job already, by the digests of what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from solver.batch.database import Database
from solver.batch.schema import answers

#: Digests that are looked for in one query.
_AT_A_TIME = 500


class Answers(Database):
    """The part of `Store` that knows answers. They are there while the job is not done."""

    def known(self, job_id: str, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """Those of the answers that there are."""
        wanted, found = list(dict.fromkeys(digests)), dict[bytes, bytes]()
        query = sa.select(answers.c.digest, answers.c.answer).where(answers.c.job == job_id)
        with self.transaction(reading=True) as connection:
            for at in range(0, len(wanted), _AT_A_TIME):
                some = query.where(answers.c.digest.in_(wanted[at : at + _AT_A_TIME]))
                found |= {row.digest: row.answer for row in connection.execute(some)}
        return found


def keep_answers(connection: sa.Connection, job_id: str, new: Mapping[bytes, bytes]) -> None:
    """Keep them in this transaction. Of two that answer the same the first stays."""
    if not new:
        return
    insert: sqlite.Insert | postgresql.Insert
    insert = sqlite.insert(answers) if connection.dialect.name == "sqlite" else postgresql.insert(answers)
    # In one order, so that two owners who keep the same do not wait for each other.
    rows = [{"job": job_id, "digest": digest, "answer": new[digest]} for digest in sorted(new)]
    connection.execute(insert.on_conflict_do_nothing(), rows)
