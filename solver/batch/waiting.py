"""Which chunks ask what is known, and which ask what is just being worked out and had better wait for it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from solver.batch.kinds import kind_named
from solver.batch.repeats import Known
from solver.batch.source import load
from solver.batch.values import Job, Lease
from solver.errors import InvalidInput

if TYPE_CHECKING:
    from solver.batch.store import Store


class Repeats:
    """The digests of the chunks that a runner has in hand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: dict[Lease, frozenset[bytes]] = {}
        #: Those of the asked that were not known when they were looked for last.
        self._rest: dict[Lease, frozenset[bytes]] = {}
        self._busy: Counter[bytes] = Counter()
        self._working: set[Lease] = set()

    def known(self, job: Job, lease: Lease) -> Known | None:
        """What the job has come to already of the records of a chunk, which from now on is worked on.

        None if most of the rest is being worked out in other chunks: ask again when one has come back. Where it is
        less than half, waiting would cost more than working it out twice: neighbours that share a record would all be
        done one after the other.
        """
        if lease not in self._asked:
            self._asked[lease] = _digests(job, lease)
        asked = self._asked[lease]
        if not asked:
            return {}
        if self._is_busy(self._rest.get(lease, frozenset())):
            return None
        known = self._store.known(job.id, asked)
        rest = self._rest[lease] = asked - known.keys()
        if self._is_busy(rest):
            return None
        self._busy.update(rest)
        self._working.add(lease)
        return known

    def _is_busy(self, digests: frozenset[bytes]) -> bool:
        return 2 * sum(digest in self._busy for digest in digests) > len(digests)

    def forget(self, lease: Lease) -> None:
        """The chunk is worked on no longer, whatever came of it."""
        self._asked.pop(lease, None)
        rest = self._rest.pop(lease, frozenset())
        if lease in self._working:
            self._working.remove(lease)
            self._busy -= Counter(rest)  # which keeps none that is zero


def _digests(job: Job, lease: Lease) -> frozenset[bytes]:
    digests = kind_named(job.spec.kind).digests
    if digests is None:
        return frozenset()
    try:
        blocks = load(job.spec.sources, lease.pieces)
        return frozenset(digest for block in blocks for digest in digests(block))
    except InvalidInput:
        return frozenset()  # a file that cannot be read any more: the work says so
