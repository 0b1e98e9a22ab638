"""Work on the machines of a Dask cluster (extra ``cluster``).

Dask runs whatever it is sent, so a scheduler that others can reach has to ask for certificates (TLS).
"""

from __future__ import annotations

import ipaddress
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from solver.analysis.values import engine_version
from solver.batch.engines import EngineLost, Say, T, Work, WrongVersion, run
from solver.errors import Fault, InvalidInput, RightbowerError

#: Seconds without a worker after which we say so, and those without a scheduler after which we give up.
LOUD_AFTER = 10.0
GIVE_UP_AFTER = 600.0


class ClusterFailed(RightbowerError):
    """There is no scheduler, or it has workers that cannot do the work."""


@dataclass(frozen=True)
class Tls:
    """Files in PEM: whose certificates are trusted, our own certificate, and its key."""

    ca: str
    cert: str
    key: str


class Dask:
    """A client of a scheduler that somebody else has started."""

    def __init__(
        self,
        scheduler: str,
        say: Say,
        *,
        tls: Tls | None = None,
        loud_after: float = LOUD_AFTER,
        give_up_after: float = GIVE_UP_AFTER,
    ) -> None:
        """Raises `InvalidInput` for an address that is not safe, `ClusterFailed` if nobody answers there."""
        _refuse_unsafe(scheduler, tls)
        self._scheduler, self._tls, self._say = scheduler, tls, say
        self._loud_after, self._give_up_after = loud_after, give_up_after
        self._client: Any = None
        self._closed = threading.Event()
        self.slots = 1
        self._connect()

    def submit(self, work: Work[T]) -> Future[T]:
        outer: Future[T] = Future()  # cancelled by itself: whether a worker has begun it is not known here
        try:
            # What it needs goes along: other machines need not have the files. Nothing is retried behind our back.
            inner = self._client.submit(run, work.complete(), pure=False, retries=0)
        except InvalidInput as error:
            outer.set_exception(error)
        except Exception as error:  # noqa: BLE001  # whatever a client without a scheduler raises
            outer.set_exception(EngineLost(f"{type(error).__name__}: {error}"))
        else:
            inner.add_done_callback(lambda done: self._hand_on(done, outer))
        return outer

    def _hand_on(self, done: Any, to: Future[T]) -> None:
        from distributed import KilledWorker

        if to.cancelled():
            return
        if done.status == "finished":
            try:
                part = done.result()
            except Exception as error:  # noqa: BLE001  # the scheduler may go between the two
                to.set_exception(EngineLost(f"{type(error).__name__}: {error}"))
            else:
                to.set_result(part)
        elif done.status == "error":
            failure = done.exception()
            if isinstance(failure, KilledWorker):
                failure = RightbowerError(f"several workers died over it: {failure}")
            to.set_exception(failure)
        else:
            to.set_exception(EngineLost(f"the scheduler at {self._scheduler} is gone"))

    def recover(self) -> None:
        """Wait for a scheduler at the same address."""
        self._say(f"the scheduler at {self._scheduler} is gone; trying to reach it again")
        self._drop()
        self._connect()
        self._say(f"connected to {self._scheduler} again")

    def close(self) -> None:
        self._closed.set()
        self._drop()

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.close(timeout=2)
            except Exception as error:  # noqa: BLE001  # it is gone either way
                self._say(f"the old connection did not close: {error}")

    def _connect(self) -> None:
        from distributed import Client
        from distributed.security import Security

        security = None
        if self._tls is not None:
            security = Security(  # type: ignore[no-untyped-call]  # its authors left it without types
                require_encryption=True,
                tls_ca_file=self._tls.ca,
                tls_client_cert=self._tls.cert,
                tls_client_key=self._tls.key,
            )
        ends = time.monotonic() + self._give_up_after
        while True:
            try:
                self._client = Client(  # type: ignore[no-untyped-call]  # its authors left it without types
                    self._scheduler, security=security, timeout=5, set_as_default=False
                )
                self._meet_workers(ends)
            except (OSError, TimeoutError) as error:
                self._drop()
                if time.monotonic() >= ends:
                    message = f"no scheduler answers at {self._scheduler}: {error}"
                    raise ClusterFailed(message) from None
                time.sleep(min(1.0, self._give_up_after / 10))
            else:
                return

    def _meet_workers(self, ends: float) -> None:
        """Wait for the first worker, loudly; then see that each runs our solver."""
        quiet_until = time.monotonic() + self._loud_after
        while not (threads := self._client.nthreads()):
            now = time.monotonic()
            if now >= ends:
                raise ClusterFailed(f"no worker has joined the scheduler at {self._scheduler}")
            if now >= quiet_until:
                self._say(f"no worker has joined the scheduler at {self._scheduler}: nothing is being done")
                quiet_until = now + self._loud_after
            time.sleep(0.2)
        # Those that join later are found out by the work itself.
        versions = self._client.run(_asked_of_workers, on_error="return")
        wrong = {address: said for address, said in versions.items() if said != engine_version()}
        if wrong:
            listed = "; ".join(f"{address} has {said}" for address, said in sorted(wrong.items()))
            self.close()
            raise WrongVersion(f"this is {engine_version()}, but {listed}")
        self.slots = sum(threads.values())


#: Run on each worker; its own answer, by its own files.
_asked_of_workers = engine_version


def _refuse_unsafe(scheduler: str, tls: Tls | None) -> None:
    parts = urlsplit(scheduler)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        message = f"a scheduler's address looks like tcp://127.0.0.1:8786 or tls://host:8786, not {scheduler[:60]!a}"
        raise InvalidInput([Fault("field.invalid", message, ("scheduler",))])
    if (parts.scheme == "tls") != (tls is not None):
        message = "an address with tls:// needs the files of TLS, and they such an address"
        raise InvalidInput([Fault("field.conflict", message, ("scheduler",))])
    if tls is None and not _is_loopback(host):
        message = f"{host} is another machine: without TLS whoever reaches its scheduler can run anything there"
        raise InvalidInput([Fault("field.invalid", message, ("scheduler",))])


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
