"""Run by alembic: the connection, and its transaction, are those of the store that asked."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
