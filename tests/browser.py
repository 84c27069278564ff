# SPDX-License-Identifier: GPL-3.0-or-later
"""A real browser for tests: Debian's headless Chromium, controlled over a pipe with the DevTools protocol.

    with Browser(tmp_path) as browser:
        page = browser.open(path, width=390)
        assert page.evaluate("document.title") == "six"

Messages are JSON objects, each followed by a zero byte, on file descriptors 3 and 4 of the browser.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any

#: Seconds until the browser counts as hung.
PATIENCE = 60
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--remote-debugging-pipe",
)  # fmt: skip


def find_browser() -> str | None:
    """The path of the browser; None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Page:
    """One opened page, with its requests and messages."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        #: Requested URLs, the page's own first.
        self.requests: list[str] = []
        #: Messages of the browser: errors, warnings, violations of the page's policy.
        self.messages: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends one command of the protocol; returns its result."""
        return self._browser.call(method, self._session, **parameters)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, as JSON has it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def resize(self, width: int, height: int = 900) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def show(self, media: str = "screen", scheme: str = "light") -> None:
        """media: "screen" or "print". scheme: what the reader prefers, "light" or "dark"."""
        wish = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", media=media, features=[wish])

    def take_picture(self) -> bytes:
        """The whole page as PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    def print_pdf(self, width_mm: float, height_mm: float) -> bytes:
        self.show("print")
        inches = {"paperWidth": width_mm / 25.4, "paperHeight": height_mm / 25.4}
        answer = self.call("Page.printToPDF", preferCSSPageSize=False, printBackground=True, **inches)
        return base64.b64decode(answer["data"])


class Browser:
    """place: an empty directory for its profile and downloads."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._numbers = iter(range(1, 1 << 30))
        self._events: deque[dict[str, Any]] = deque()
        self._rest = b""

    def __enter__(self) -> Browser:
        program = find_browser()
        assert program, "chromium is not installed; make full-setup installs it"
        there, self._write = os.pipe()
        self._read, back = os.pipe()
        command = [program, *_OPTIONS, f"--user-data-dir={self._place / 'profile'}", "about:blank"]
        # The browser needs descriptors 3 and 4; bash moves ours there, also from numbers of two digits.
        shell = ["bash", "-c", f'exec 3<&{there} 4>&{back}; exec "$@"', "bash", *command]
        home = {"HOME": str(self._place), "XDG_CONFIG_HOME": str(self._place), "XDG_CACHE_HOME": str(self._place)}
        self._process = subprocess.Popen(
            shell, pass_fds=(there, back), env=os.environ | home, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(there)
        os.close(back)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._write)
        os.close(self._read)
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def open(self, path: Path | str, width: int = 1280) -> Page:
        """Loads a file or a URL and waits until all of it is there."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            page.call(f"{domain}.enable")
        page.resize(width)
        self._events.clear()
        page.call("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        self._gather(page)
        return page

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer; events that arrive before it are kept."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self._write, json.dumps(command).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == number:
                assert "error" not in message, f"{method}: {message}"
                result: dict[str, Any] = message["result"]
                return result
            self._events.append(message)

    def _gather(self, page: Page) -> None:
        """Reads events until the page is loaded, and a moment longer for late events."""
        loaded = False
        while self._events or not loaded or self._has_message(0.3):
            event = self._events.popleft() if self._events else self._receive()
            method, content = event.get("method", ""), event.get("params", {})
            loaded = loaded or method == "Page.loadEventFired"
            if method == "Network.requestWillBeSent":
                page.requests.append(content["request"]["url"])
            elif method == "Log.entryAdded":
                page.messages.append(content["entry"]["text"])
            elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Audits.issueAdded"):
                page.messages.append(json.dumps(content))

    def _has_message(self, seconds: float) -> bool:
        return b"\0" in self._rest or bool(select.select([self._read], [], [], seconds)[0])

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            assert self._has_message(max(0.0, deadline - time.monotonic())), "the browser does not answer"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser closed the connection"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        content: dict[str, Any] = json.loads(message)
        return content
