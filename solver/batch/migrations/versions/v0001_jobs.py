"""Jobs, their chunks, and what came of each chunk."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "jobs",
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
    op.create_table(
        "chunks",
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
    )
    op.create_index("chunks_by_state", "chunks", ["state", "job", "number"])
    op.create_table(
        "parts",
        sa.Column("job", sa.String(32), primary_key=True),
        sa.Column("chunk", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rows", sa.LargeBinary),
        sa.Column("file", sa.Text),
        sa.Column("faults", sa.LargeBinary, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["job", "chunk"], ["chunks.job", "chunks.number"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("parts", "chunks", "jobs"):
        op.drop_table(table)
