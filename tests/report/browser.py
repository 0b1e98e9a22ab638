"""A page in headless Chromium, driven over the pipe of its DevTools: no other program and no network is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
)


class Page:
    """One page, and everything that was said of it: requests, and what its console got."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = os.fdopen(to, "wb", buffering=0), os.fdopen(back, "rb")
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer["error"]
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self) -> dict[str, Any]:
        message = bytearray()
        while (byte := self._back.read(1)) != b"\0":
            assert byte, "the browser has gone"
            message += byte
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, address: str, width: int, height: int = 800) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Page.navigate", url=address)
        while not any(each.get("method") == "Page.loadEventFired" for each in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def of(self, method: str) -> list[dict[str, Any]]:
        return [each["params"] for each in self.events if each.get("method") == method]


@contextmanager
def browser(home: Path) -> Iterator[Page]:
    """A browser that keeps what it writes under ``home``."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    assert program is not None, "no Chromium here. On Debian: apt install chromium"
    theirs, to = os.pipe()
    back, their_end = os.pipe()
    # The browser reads from 3 and writes to 4; the shell puts them there, whatever numbers ours have.
    command = f'exec "$@" 3<&{theirs} 4>&{their_end}'
    process = subprocess.Popen(
        ["bash", "-c", command, "bash", program, *OPTIONS, f"--user-data-dir={home}"],
        pass_fds=(theirs, their_end),
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    os.close(their_end)
    try:
        yield Page(to, back)
    finally:
        process.kill()
        process.wait()
