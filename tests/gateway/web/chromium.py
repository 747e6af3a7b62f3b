"""A headless Chromium over its DevTools protocol: one tab at a time, with real keys and the mouse."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SECONDS = 30.0  # to wait for something, on a machine that others use
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # which a container cannot have; the pages are our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "ArrowDown": (40, "")}


@dataclass
class Browser:
    """A browser. `tab` opens one, with cookies of its own if it is `apart`."""

    socket: ClientConnection
    number: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message if session is None else {**message, "sessionId": session}))
        number = self.number
        while True:
            reply = json.loads(self.socket.recv(timeout=SECONDS))
            if reply.get("id") == number:
                assert "error" not in reply, (method, reply)
                return reply["result"]
            self.events.append(reply)

    def tab(self, *, apart: bool = True, beside: Tab | None = None) -> Tab:
        context = {}
        if beside is not None:
            context = {"browserContextId": beside.context}
        elif apart:
            context = {"browserContextId": self.send("Target.createBrowserContext")["browserContextId"]}
        target = self.send("Target.createTarget", url="about:blank", **context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable", session)
        return Tab(self, session, context.get("browserContextId", ""))


@dataclass
class Tab:
    """One tab."""

    browser: Browser
    session: str
    context: str

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.browser.send(method, self.session, **parameters)

    def open(self, address: str) -> None:
        self.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def js(self, code: str) -> Any:
        """The value of an expression, a promise's when it is kept."""
        done = self.send("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, code: str, seconds: float = SECONDS) -> Any:
        """Wait until an expression is true."""
        end, value = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                value = self.js(f"Boolean({code})")
            except AssertionError:  # between two pages
                value = None
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"never: {code}\n{self.text()}")

    def text(self) -> str:
        return str(self.js("document.body.innerText"))

    def click(self, selector: str) -> None:
        """Click with the mouse in the middle of an element."""
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.js(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def press(self, key: str, *, control: bool = False) -> None:
        code, text = _KEYS[key] if key in _KEYS else (ord(key.upper()), key)
        same = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
        typed = {"text": text} if text and not control else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **same, **typed)
        self.send("Input.dispatchKeyEvent", type="keyUp", **same)

    def fill(self, selector: str, text: str) -> None:
        self.js(f"document.querySelector({json.dumps(selector)}).focus()")
        self.type(text)

    def size(self, width: int, height: int = 900, *, dark: bool = False) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, place: Path) -> None:
        """What is on the screen, as a PNG."""
        shot = self.send("Page.captureScreenshot", format="png")
        place.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[str]:
        """What the browser has logged of this tab: errors, and what the policy of the page refused.

        Chromium itself styles what it inserts into an editor over a selection, and then refuses that, at no
        line of any script.
        """
        self.js("0")
        entries = [
            event["params"]["entry"]["text"]
            for event in self.browser.events
            if event["method"] == "Log.entryAdded" and event.get("sessionId") == self.session
            if event["params"]["entry"].get("lineNumber") or "inline style" not in str(event["params"])
        ]
        thrown = [
            json.dumps(event["params"])
            for event in self.browser.events
            if event["method"] == "Runtime.exceptionThrown" and event.get("sessionId") == self.session
        ]
        return [*entries, *thrown]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, with a profile of its own, while the block runs."""
    assert BROWSER is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [BROWSER, *_OPTIONS, f"--user-data-dir={profile}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            port = Path(profile) / "DevToolsActivePort"
            _wait(lambda: port.exists() and port.read_text().count("\n") >= 1)
            number, path = port.read_text().split("\n")[:2]
            with connect(f"ws://127.0.0.1:{number}{path}", max_size=None) as socket:
                yield Browser(socket)
        finally:
            process.kill()
            process.wait()


def _wait(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)
