"""The tables of jobs as queries see them; `solver.batch.migrations` makes them, and a test holds the two together."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

#: ``planned_to``: how far the sources have been cut into chunks; it moves in one transaction with those chunks.
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("finished", sa.Float),
    sa.Column("planned_to", sa.Text, nullable=False),
    sa.Column("planned", sa.Boolean, nullable=False),
    sa.Column("chunks", sa.Integer, nullable=False),
)

#: ``lease`` counts up with every lease: a number of its own for each, which fences off whoever held an earlier one.
#: ``failures`` count errors of the work itself, ``losses`` owners who let a lease run out.
chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("pieces", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("owner", sa.String(64)),
    sa.Column("lease", sa.Integer, nullable=False),
    sa.Column("expires", sa.Float),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("losses", sa.Integer, nullable=False),
    sa.Column("error", sa.Text),
    sa.Column("finished", sa.Float),
    sa.Column("seconds", sa.Float),
    sa.Column("records", sa.BigInteger, nullable=False),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("bad", sa.BigInteger, nullable=False),
    sa.Index("chunks_by_state", "state", "job", "number"),
)

#: What was worked out, packed, by a digest of the job and of what it answers: there until the job is done, so that
#: records that come again are not worked out again. Rows stand as they came, and only short keys are in an index, as
#: its pages are written anew with every chunk: with the digest as the key of the rows five times as much was written.
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Index("answers_by_key", "key", unique=True),
)

#: What came of a chunk: its rows (compressed lines) or the file that has them, its faults (compressed lines) and its
#: summary.
parts = sa.Table(
    "parts",
    metadata,
    sa.Column("job", sa.String(32), primary_key=True),
    sa.Column("chunk", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("rows", sa.LargeBinary),
    sa.Column("file", sa.Text),
    sa.Column("faults", sa.LargeBinary, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
    sa.ForeignKeyConstraint(["job", "chunk"], ["chunks.job", "chunks.number"], ondelete="CASCADE"),
)
