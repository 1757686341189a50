"""The only module that opens connections: it reads the content of an address by https.

httpx2 runs in an asyncio loop, so that each phase of a download has a time limit and can be cancelled. httpx2
takes proxies from the environment and the system settings, and certificates from the system (truststore).
httpx2 uses Python's sockets, which audit hooks can see. Qt's QNetworkAccessManager needs the system's
OpenSSL, which is not part of Qt on Linux; urllib3 does not use the system's proxies and certificates.

Requests contain no data about the user: no cookies, and no names of the computer, system or version.
"""

from __future__ import annotations

import asyncio
import io
import ssl
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.untrusted import MAX_JSON, read_json
from anaphora_nmt.errors import Cancelled

if TYPE_CHECKING:
    import httpx2

SECONDS_TO_CONNECT = 2.0
SECONDS = 20.0
"""A connection that transfers no data for this time is closed."""
_ANSWER_FACTOR = 3
"""The answer must begin within this multiple of `SECONDS`."""
_MIN_SPEED = 1000
"""Minimum average speed of the answer, in bytes per second."""
_CHECK_SECONDS = 0.1
"""Seconds between two checks for a cancelled download."""
_MAX_REDIRECTS = 5
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_HEADERS = {"User-Agent": "Anaphora", "Accept": "*/*", "Accept-Encoding": "identity"}


class DownloadError(AnaphoraError):
    """A file or list could not be downloaded."""


class Control:
    """Cancels a download from another thread."""

    def __init__(self) -> None:
        self._is_cancelled = False

    def cancel(self) -> None:
        self._is_cancelled = True

    def check(self) -> None:
        if self._is_cancelled:
            raise Cancelled


class Transport:
    """Reads the content of addresses; `allow_loopback` permits http on this computer, for tests."""

    def __init__(self, allow_loopback: bool = False, seconds: float = SECONDS) -> None:
        self.allow_loopback = allow_loopback
        self._seconds = seconds

    def read_json(self, address: str, control: Control | None = None) -> Any:
        """The JSON value at an address; raises DownloadError if it is missing, invalid or too long."""
        content = io.BytesIO()

        def receive(chunk: bytes) -> None:
            content.write(chunk)
            if content.tell() > MAX_JSON:
                raise DownloadError(Message("The list of models at {address} is too long.", address=address))

        self.read(address, receive, control or Control())
        try:
            return read_json(content.getvalue().decode("utf-8"))
        except ValueError as error:
            raise DownloadError(
                Message("{address} contains no list of models ({reason}).", address=address, reason=error)
            ) from error

    def read(self, address: str, receive: Callable[[bytes], object], control: Control) -> None:
        """Pass the content of an address to `receive`, in parts.

        Raises:
            DownloadError: the content is not available in time by https.
            Cancelled: `control` was cancelled.
        """
        import httpx2

        control.check()
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self._run_until_cancelled(self._read(address, receive), control))
        except (httpx2.InvalidURL, httpx2.HTTPError, TimeoutError, ValueError) as error:
            raise _error_for(error, address) from error
        finally:
            loop.close()  # unlike `asyncio.run`, this does not wait for threads that resolve names

    async def _run_until_cancelled(self, reading: Coroutine[Any, Any, None], control: Control) -> None:
        task = asyncio.ensure_future(reading)
        try:
            while not (await asyncio.wait((task,), timeout=_CHECK_SECONDS))[0]:
                control.check()
        finally:
            task.cancel()
            await asyncio.wait((task,))
        task.result()
        control.check()

    async def _read(self, address: str, receive: Callable[[bytes], object]) -> None:
        import httpx2

        async with (
            asyncio.timeout(_ANSWER_FACTOR * self._seconds) as deadline,
            httpx2.AsyncClient(
                timeout=httpx2.Timeout(self._seconds, connect=SECONDS_TO_CONNECT),
                follow_redirects=True,
                max_redirects=_MAX_REDIRECTS,
                event_hooks={"request": [self._check_request]},
            ) as client,
            client.stream("GET", address, headers=_HEADERS) as response,
        ):
            _check_status(response, address)
            async for chunk in response.aiter_raw():
                receive(chunk)
                deadline.reschedule((deadline.when() or 0) + len(chunk) / _MIN_SPEED)

    async def _check_request(self, request: httpx2.Request) -> None:
        """Require https, also after redirects, and remove cookies."""
        request.headers.pop("Cookie", None)
        address = str(request.url)
        parts = urlsplit(address)
        is_test_server = self.allow_loopback and parts.scheme == "http" and parts.hostname in _LOOPBACK
        # Reading an invalid port raises ValueError here instead of an exception group later.
        if (parts.scheme != "https" or parts.port == 0) and not is_test_server:
            raise DownloadError(
                Message("{address} is not a secure address. Nothing was downloaded.", address=request.url),
                "Use an address that begins with https://.",
            )


def _check_status(response: httpx2.Response, address: str) -> None:
    status = response.status_code
    values = {"host": _host(address), "status": status}
    if status == 200:
        return
    if status in (404, 410):
        raise DownloadError(Message("{host} no longer provides the file ({status}).", **values))
    if status == 407:
        raise DownloadError(
            Message("The proxy requires a user name and a password ({status}).", **values),
            "Add them to the proxy address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT.",
        )
    if status in (408, 429) or status >= 500:
        raise DownloadError(
            Message("{host} is overloaded or out of service ({status}).", **values), "Try again later."
        )
    raise DownloadError(Message("{host} did not return a file ({status}).", **values))


def _error_for(error: Exception, address: str) -> DownloadError:
    import httpx2

    host = _host(address)
    if isinstance(error, httpx2.ProxyError):
        return DownloadError(
            Message("The proxy cannot be used ({reason}).", reason=error),
            "Check the system's proxy settings or the variable HTTPS_PROXY.",
        )
    is_slow = isinstance(error, (httpx2.TimeoutException, TimeoutError))
    if is_slow and not isinstance(error, httpx2.ConnectTimeout):
        return DownloadError(
            Message("{host} does not answer.", host=host),
            "Check the network connection and try again.",
        )
    if _is_about_certificate(error):
        return DownloadError(
            Message("The certificate of {host} is not trusted ({reason}).", host=host, reason=error),
            "Nothing was downloaded. Check the date and time, and ask your administrator whether "
            "the network inspects encrypted connections.",
        )
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return DownloadError(
            Message("{host} cannot be reached.", host=host),
            "Check the network connection, the firewall and the proxy.",
        )
    reason = str(error) or type(error).__name__
    return DownloadError(
        Message("The connection to {host} was interrupted ({reason}).", host=host, reason=reason),
        "Try again later.",
    )


def _is_about_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or address
    except ValueError:  # malformed
        return address
