"""The lab as a page of this machine alone: a small server that answers one browser and nobody else."""

import secrets
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from rosenblatt.errors import DataError
from rosenblatt.lab.page import Lab, page_script, served_document, static

LOOPBACK = ("127.0.0.1", "localhost")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class LabServer(ThreadingHTTPServer):
    """Serves three fixed texts to whoever holds the token, on the loopback interface only."""

    daemon_threads = True

    def __init__(self, lab: Lab, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.token = secrets.token_urlsafe(24)
        self.session = secrets.token_urlsafe(24)
        self.hosts = {f"{name}:{self.server_port}" for name in LOOPBACK}
        self.cookie = f"rosenblatt-lab-{self.server_port}"  # browsers share cookies between the ports of one host
        self.texts = {
            "/": ("text/html; charset=utf-8", served_document(lab.values, title=lab.title)),
            "/lab.js": ("text/javascript; charset=utf-8", page_script()),
            "/lab.css": ("text/css; charset=utf-8", static("lab.css")),
        }

    @property
    def url(self) -> str:
        """The address to open: its token is exchanged for a cookie at the first visit."""
        return f"http://127.0.0.1:{self.server_port}/?token={self.token}"


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD after looking at Host, Origin, where the request comes from, and the cookie."""

    server: LabServer
    server_version = "rosenblatt"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        # A name that resolves to this machine is not this machine's name: the defence against DNS rebinding.
        if self.headers.get("Host", "") not in self.server.hosts:
            self._answer(HTTPStatus.MISDIRECTED_REQUEST, "This server answers only to its own address.")
        elif self._foreign():
            self._answer(HTTPStatus.FORBIDDEN, "This request comes from another page.")
        elif address.path == "/" and "token" in (query := parse_qs(address.query)):
            self._exchange(query["token"][0])
        elif not self._known():
            self._answer(HTTPStatus.FORBIDDEN, "Open the address with its token, as it was printed.")
        elif address.path in self.server.texts:
            kind, text = self.server.texts[address.path]
            self._answer(HTTPStatus.OK, text, kind)
        else:
            self._answer(HTTPStatus.NOT_FOUND, "There is no such page.")

    do_HEAD = do_GET

    def _foreign(self) -> bool:
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")
        own = {f"http://{host}" for host in self.server.hosts}
        return (origin is not None and origin not in own) or site not in (None, "none", "same-origin")

    def _known(self) -> bool:
        try:
            found = SimpleCookie(self.headers.get("Cookie", "")).get(self.server.cookie)
        except CookieError:
            return False
        return found is not None and secrets.compare_digest(found.value.encode(), self.server.session.encode())

    def _exchange(self, token: str) -> None:
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._answer(HTTPStatus.FORBIDDEN, "The token is not that of this server; use the address last printed.")
            return
        cookie = f"{self.server.cookie}={self.server.session}; HttpOnly; SameSite=Strict; Path=/"
        self._answer(HTTPStatus.SEE_OTHER, "", more={"Location": "/", "Set-Cookie": cookie})

    def _answer(
        self,
        status: HTTPStatus,
        text: str,
        kind: str = "text/plain; charset=utf-8",
        more: dict[str, str] | None = None,
    ) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, **(more or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the library never prints."""


@contextmanager
def running(lab: Lab) -> Iterator[LabServer]:
    """Serve in the background while the block runs."""
    with _bind(lab, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def serve(
    lab: Lab | None = None,
    *,
    port: int = 0,
    browser: bool = True,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve a lab to this machine's browser until Ctrl-C.

    Parameters
    ----------
    lab : what ``rosenblatt.lab(X, y)`` returned; the lecture's four points if left out.
    port : 0 takes a free one.
    browser : open the page.
    announce : called once with the address, which holds the token; the command line prints it.

    Notes
    -----
    Bound to 127.0.0.1. The token in the address is exchanged for an HttpOnly, SameSite=Strict cookie; a foreign Host
    is answered 421, a foreign Origin or another page's request 403; there are no files behind it but three texts.
    """
    with _bind(Lab({}) if lab is None else lab, port) as server:
        if announce is not None:
            announce(server.url)
        if browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return


def _bind(lab: Lab, port: int) -> LabServer:
    if not 0 <= port <= 65535:
        raise DataError(f"port={port!r} must be a whole number from 0 (any free one) to 65535.")
    try:
        return LabServer(lab, port)
    except OSError as error:
        raise DataError(f"port {port} cannot be used ({error.strerror}); choose another, or 0 for any.") from error
