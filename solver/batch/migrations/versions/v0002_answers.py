"""Answers of a job by the digests of what they answer, so that what comes again is not worked out again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
