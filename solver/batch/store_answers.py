"""What was worked out in a job already, by the digests of what it answers."""

from __future__ import annotations

import hashlib
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
        wanted, found = {_key(job_id, digest): digest for digest in digests}, dict[bytes, bytes]()
        keys = list(wanted)
        query = sa.select(answers.c.key, answers.c.answer)
        with self.transaction(reading=True) as connection:
            for at in range(0, len(keys), _AT_A_TIME):
                some = query.where(answers.c.key.in_(keys[at : at + _AT_A_TIME]))
                found |= {wanted[row.key]: row.answer for row in connection.execute(some)}
        return found


def keep_answers(connection: sa.Connection, job_id: str, new: Mapping[bytes, bytes]) -> None:
    """Keep them in this transaction. Of two that answer the same the first stays."""
    if not new:
        return
    insert: sqlite.Insert | postgresql.Insert
    insert = sqlite.insert(answers) if connection.dialect.name == "sqlite" else postgresql.insert(answers)
    # In one order, so that two owners who keep the same do not wait for each other.
    by_key = sorted((_key(job_id, digest), answer) for digest, answer in new.items())
    rows = [{"job": job_id, "key": key, "answer": answer} for key, answer in by_key]
    connection.execute(insert.on_conflict_do_nothing(), rows)


def _key(job_id: str, digest: bytes) -> bytes:
    """One short key for both: the id alone would be longer than that."""
    return hashlib.blake2b(digest, digest_size=16, key=job_id.encode()).digest()
