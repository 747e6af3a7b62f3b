"""The routes of the console: what each address answers, and to whom.

What changes something is a POST with the visitor's secret, and ends in another page, so that a reload sends
nothing again. What is shown of an answer comes from a run that has ended, never from the request.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dpduck.answers.summary_advice import is_owner
from dpduck.doors.gateway.errors import BusyError, NoRoomError
from dpduck.doors.gateway.room import ServerRoom, stranger
from dpduck.doors.gateway.shares import held
from dpduck.doors.gateway.web.answers import csv_of
from dpduck.doors.gateway.web.ask_page import ask_parts, login_parts, price_part
from dpduck.doors.gateway.web.asking import Asking
from dpduck.doors.gateway.web.budget_page import budget_parts, read_budgets
from dpduck.doors.gateway.web.guard import Guard, Rates, declared
from dpduck.doors.gateway.web.history_page import ROWS, history_parts
from dpduck.doors.gateway.web.layout import error_box, page
from dpduck.doors.gateway.web.logins import OneTimeLinks, PasswordLogins
from dpduck.doors.gateway.web.owner_routes import OwnerRoutes
from dpduck.doors.gateway.web.runs import TooManyRuns
from dpduck.doors.gateway.web.schema_page import schema_parts
from dpduck.doors.gateway.web.visitors import Visitor, Visitors
from dpduck.doors.page.html import Markup, tag
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import Ledger, Role
from dpduck.kernel.ledger.glance import last_charges

T = TypeVar("T")
_Answer = Callable[[Request, Visitor], Awaitable[Response]]

_MOST_FIELDS = 12  # of a form
_PRICED = ("/price", "/complete")
_LENGTH = 16 * 1024  # bytes of a form that count as one request more
_FORM_SECONDS = 30.0  # for the rest of a form
_SEE_OTHER = 303
_ADVICE = tag("p", tag("a", "What a summary would have cost", href="/budgets/summaries"))
_EXPIRED = "Your session has ended. Nothing was charged; log in, and your statement is here again."


class LateError(Exception):
    """A form was not sent in time."""


@dataclass
class Console:
    """One console on served data.

    `place`: what was typed as FILE; `links`: None where the owner cannot come in by a link; `secure`: the
    browser is reached over TLS; `hosts`: names by which it is reached; `cookie`: the name of its cookie.
    """

    place: DataPath
    ledger: Ledger
    asking: Asking
    visitors: Visitors
    logins: PasswordLogins
    room: ServerRoom
    links: OneTimeLinks | None = None
    secure: bool = False
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "::1")
    cookie: str = "dpduck"
    rates: Rates = field(default_factory=Rates)
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _own_rates: Rates = field(default_factory=lambda: Rates(0.05, 200), repr=False)

    def app(self) -> ASGIApp:
        """The console as an application of ASGI."""
        with as_file(files("dpduck.doors.gateway.web") / "static") as folder:
            static = StaticFiles(directory=Path(folder))
        routes = [
            Mount("/static", static),
            Route("/", self._known(self._ask)),
            Route("/login", self._login_page),
            Route("/login", self._login, methods=["POST"]),
            Route("/open/{token}", self._open),
            Route("/logout", self._known(self._logout), methods=["POST"]),
            Route("/price", self._known(self._price), methods=["POST"]),
            Route("/complete", self._known(self._complete), methods=["POST"]),
            Route("/run", self._known(self._run), methods=["POST"]),
            Route("/stop", self._known(self._stop), methods=["POST"]),
            Route("/answers/{id}.csv", self._known(self._csv)),
            Route("/answers/{id}", self._known(self._answer)),
            Route("/schema", self._known(self._schema)),
            Route("/budgets", self._known(self._budgets)),
            Route("/history", self._known(self._history)),
            *self._owner_routes(),
        ]
        refusals = {BusyError: _busy, NoRoomError: _full, LateError: _late}
        inner = Starlette(routes=routes, exception_handlers={500: _failed, Exception: _failed, **refusals})
        return Guard(inner, self.hosts, self.rates)

    def _owner_routes(self) -> list[Route]:
        owner = OwnerRoutes(self)
        return [
            Route("/policies", self._known(owner.policies)),
            Route("/policies/preview", self._known(owner.preview), methods=["POST"]),
            Route("/policies/apply", self._known(owner.apply), methods=["POST"]),
            Route("/policies/{number:int}", self._known(owner.policy_entry)),
            Route("/budgets/summaries", self._known(owner.summaries)),
            Route("/logins", self._known(owner.login_list)),
            Route("/logins/add", self._known(owner.let_in), methods=["POST"]),
            Route("/logins/remove", self._known(owner.let_out), methods=["POST"]),
        ]

    # --- who asks --------------------------------------------------------------------------------

    def _known(self, answer: _Answer) -> Callable[[Request], Awaitable[Response]]:
        """A page for who has logged in: others are asked to, and a form without the secret is refused."""

        async def endpoint(request: Request) -> Response:
            visitor = await self._visitor(request)
            if visitor is not None and not self._may_send(request, visitor):
                return self._refused(request, visitor, "There were too many requests. Wait a moment.", 429)
            async with self._form_of(request, _stranger(request) if visitor is None else visitor.name):
                if visitor is None:
                    return self._ask_to_log_in(request, request.state.form)
                return await self._answered(request, visitor, answer)

        return endpoint

    def _may_send(self, request: Request, visitor: Visitor) -> bool:
        """Whether a request may be read. It counts the more, the longer it is."""
        if request.url.path in _PRICED and self.room.prices.turns.is_full(visitor.name):
            return False
        return self._own_rates.take(visitor.csrf, 1 + declared(request.headers) // _LENGTH)

    async def _answered(self, request: Request, visitor: Visitor, answer: _Answer) -> Response:
        if request.method == "POST" and not visitor.sent(request.state.form.get("csrf", "")):
            return self._refused(request, visitor, "The form is not one of this session. Nothing was done.")
        try:
            return await answer(request, visitor)
        except BusyError as error:
            return self._refused(request, visitor, _sentence(error), 429)
        except DpduckError as error:
            failure = error
        content = [tag("h1", "This cannot be done"), error_box(failure)]
        return self.page(request, visitor, "Error", *content, status=400)

    async def _visitor(self, request: Request) -> Visitor | None:
        """Who sent it. From time to time that is a look at the ledger."""
        if self.visitors.is_late:
            await self.room.doors.run(_stranger(request), self.visitors.look, bounded=False)
        return self.visitors.find(request.cookies.get(self.cookie, ""))

    @asynccontextmanager
    async def _form_of(self, request: Request, name: Hashable) -> AsyncIterator[None]:
        """Read the form into the request's state, and hold room for it. Errors: NoRoomError, LateError."""
        request.state.form = {}
        if request.method != "POST":
            yield
            return
        with held(self.room.memory, name, declared(request.headers)):
            try:
                async with asyncio.timeout(_FORM_SECONDS):
                    request.state.form = await _form(request)
            except TimeoutError:
                raise LateError from None
            yield

    def _ask_to_log_in(self, request: Request, form: Mapping[str, str]) -> Response:
        if _wants_json(request):
            return JSONResponse({"kind": "expired", "line": _EXPIRED}, 401)
        if request.method == "POST":
            return self._login_form(request, draft=form.get("sql", ""), note=_EXPIRED, status=401)
        return RedirectResponse("/login", _SEE_OTHER)

    def _refused(self, request: Request, visitor: Visitor, said: str, status: int = 403) -> Response:
        if _wants_json(request):
            return JSONResponse({"kind": "refused", "line": said}, status)
        return self.page(request, visitor, "Refused", tag("h1", "Refused"), tag("p", said), status=status)

    async def _login_page(self, request: Request) -> Response:
        return self._login_form(request)

    def _login_form(
        self,
        request: Request,
        *,
        draft: str = "",
        error: Markup | None = None,
        note: str = "",
        status: int = 200,
    ) -> Response:
        """The form, with a secret that a cookie repeats: so that nobody is logged in by another site."""
        cookie = request.cookies.get(self._login_cookie) or secrets.token_urlsafe(24)
        parts = login_parts(
            self._login_secret(cookie), draft, error=error, note=note, links=self.links is not None
        )
        response = HTMLResponse(page("Log in", self.place.name, None, "/login", *parts), status)
        self._set_cookie(response, self._login_cookie, cookie)
        return response

    async def _login(self, request: Request) -> Response:
        async with self._form_of(request, _stranger(request)):
            return await self._logged_in(request, request.state.form)

    async def _logged_in(self, request: Request, form: Mapping[str, str]) -> Response:
        cookie = request.cookies.get(self._login_cookie, "")
        draft, name = form.get("draft", ""), form.get("name", "")
        right = hmac.compare_digest(
            form.get("csrf", "").encode("utf-8", "replace"), self._login_secret(cookie).encode()
        )
        if not cookie or not right:
            return self._login_form(request, draft=draft, note="The form was too old. Try again.", status=403)
        peer = request.client.host if request.client else ""
        try:
            role = await self.logins.let_in(peer, name, form.get("password", ""))
        except DpduckError as error:
            failure = error_box(error)
        else:
            return await self._welcome(request, name, role, draft)
        return self._login_form(request, draft=draft, error=failure, status=401)

    async def _open(self, request: Request) -> Response:
        """The link that the terminal shows."""
        if self.links is None:
            return RedirectResponse("/login", _SEE_OTHER)
        if request.method == "HEAD":  # a look at the link, as of what shows previews, does not use it up
            return Response()
        try:
            self.links.use(request.path_params["token"])
        except DpduckError as error:
            failure = error_box(error)
        else:
            return await self._welcome(request, None, Role.OWNER, "")
        return self._login_form(request, error=failure, status=401)

    async def _welcome(self, request: Request, name: str | None, role: Role, draft: str) -> Response:
        self.visitors.part(request.cookies.get(self.cookie, ""))
        cookie, visitor = await self.room.doors.run(
            _stranger(request), partial(self.visitors.welcome, name, role), bounded=False
        )
        response: Response
        if draft:
            parts = ask_parts(visitor, draft, note="You are logged in. Your statement was not run.")
            response = HTMLResponse(page("Ask", self.place.name, visitor, "/", *parts))
        else:
            response = RedirectResponse("/", _SEE_OTHER)
        self._set_cookie(response, self.cookie, cookie)
        response.delete_cookie(self._login_cookie, httponly=True, samesite="strict", secure=self.secure)
        return response

    async def _logout(self, request: Request, visitor: Visitor) -> Response:
        del visitor
        self.visitors.part(request.cookies.get(self.cookie, ""))
        response = RedirectResponse("/login", _SEE_OTHER)
        response.delete_cookie(self.cookie, httponly=True, samesite="strict", secure=self.secure)
        return response

    @property
    def _login_cookie(self) -> str:
        return f"{self.cookie}-login"

    def _login_secret(self, cookie: str) -> str:
        return hmac.new(self._secret, cookie.encode("utf-8", "replace"), "sha256").hexdigest()

    def _set_cookie(self, response: Response, name: str, value: str) -> None:
        response.set_cookie(name, value, httponly=True, samesite="strict", secure=self.secure, path="/")

    # --- asking ----------------------------------------------------------------------------------

    async def _ask(self, request: Request, visitor: Visitor) -> Response:
        again = visitor.runs.get(request.query_params.get("again", ""))
        sql, epsilon = ("", "") if again is None else (again.sql, again.epsilon)
        return self.page(request, visitor, "Ask", *ask_parts(visitor, sql, epsilon))

    async def _price(self, request: Request, visitor: Visitor) -> Response:
        sql, epsilon = _asked(request)
        price = await self.room.prices.run(visitor.name, partial(self.asking.price, visitor, sql, epsilon))
        if _wants_json(request):
            return JSONResponse({"kind": price.kind, "html": price_part(price)})
        return self.page(request, visitor, "Ask", *ask_parts(visitor, sql, epsilon, price=price))

    async def _complete(self, request: Request, visitor: Visitor) -> Response:
        form = request.state.form
        sql, cursor = form.get("sql", ""), _whole(form.get("cursor", ""), 0)
        complete = partial(self.asking.complete, visitor, sql, min(cursor, len(sql)))
        found = await self.room.prices.run(visitor.name, complete)
        return JSONResponse([{"text": one.text, "kind": one.kind, "replaces": one.replaces} for one in found])

    async def _run(self, request: Request, visitor: Visitor) -> Response:
        """Run a statement once, however often it is sent, and go to its answer."""
        sql, epsilon = _asked(request)
        number = request.state.form.get("run", "")
        if not sql.strip() or not number:
            return RedirectResponse("/", _SEE_OTHER)
        try:
            run = self.asking.begin(visitor, number, sql, epsilon)
        except TooManyRuns:
            note = (
                "Other statements of this session still run. Nothing was charged; wait for them, or stop one."
            )
            return self.page(
                request, visitor, "Ask", *ask_parts(visitor, sql, epsilon, note=note), status=429
            )
        # The run goes on if the browser goes away; whoever comes again finds it.
        await asyncio.wait([asyncio.wrap_future(run.future)])
        return RedirectResponse(f"/answers/{run.id}#answer", _SEE_OTHER)

    async def _stop(self, _: Request, visitor: Visitor) -> Response:
        for run in visitor.runs.all():
            if not run.future.done():
                await self.asking.stop(run)
        return RedirectResponse("/", _SEE_OTHER)

    async def _answer(self, request: Request, visitor: Visitor) -> Response:
        run = visitor.runs.get(request.path_params["id"])
        if run is None:
            content = [
                tag("h1", "Not here"),
                tag("p", "This answer is not kept in this session, or no more."),
            ]
            return self.page(request, visitor, "Ask", *content, status=404)
        number = _whole(request.query_params.get("page", ""), 1)
        parts = await self.in_thread(
            visitor,
            partial(ask_parts, visitor, run.sql, run.epsilon, run=run, number=number),
        )
        return self.page(request, visitor, "Ask", *parts)

    async def _csv(self, request: Request, visitor: Visitor) -> Response:
        run = visitor.runs.get(request.path_params["id"])
        if run is None or run.outcome is None:
            return PlainTextResponse("This answer is not kept.\n", 404)
        parts = csv_of(run.outcome)

        async def sent() -> AsyncIterator[str]:
            while (
                part := await self.room.pages.run(visitor.name, lambda: next(parts, ""), bounded=False)
            ) != "":
                yield part

        headers = {"Content-Disposition": 'attachment; filename="answer.csv"'}
        return StreamingResponse(sent(), media_type="text/csv", headers=headers)

    # --- what there is to see --------------------------------------------------------------------

    async def _schema(self, request: Request, visitor: Visitor) -> Response:
        schema, name = (request.query_params.get(key, "") for key in ("schema", "table"))

        def parts() -> list[Markup]:
            with self.asking.service(visitor) as service:
                return schema_parts(service.shown_catalog(), schema, name)

        return self.page(request, visitor, "Schema", *await self.in_thread(visitor, parts))

    async def _budgets(self, request: Request, visitor: Visitor) -> Response:
        def parts() -> list[Markup]:
            with self.asking.service(visitor) as service:
                shown = read_budgets(visitor.session, service.accounts())
                return [*budget_parts(shown), *([_ADVICE] if is_owner(visitor.session) else [])]

        return self.page(request, visitor, "Budgets", *await self.in_thread(visitor, parts))

    async def _history(self, request: Request, visitor: Visitor) -> Response:
        below = _whole(request.query_params.get("below", ""), 0) or None

        def parts() -> list[Markup]:
            charges = last_charges(self.ledger, ROWS, below=below, analyst=visitor.session.reader)
            return history_parts(visitor, visitor.runs.all(), charges)

        return self.page(request, visitor, "History", *await self.in_thread(visitor, parts))

    # --- helpers ---------------------------------------------------------------------------------

    def page(
        self, request: Request, visitor: Visitor, title: str, *content: Markup, status: int = 200
    ) -> HTMLResponse:
        """A page for a visitor."""
        path = f"/{request.url.path.split('/')[1]}"
        entry = path if path in ("/schema", "/budgets", "/history", "/policies", "/logins") else "/"
        return HTMLResponse(page(title, self.place.name, visitor, entry, *content), status)

    async def in_thread(self, visitor: Visitor, work: Callable[[], T]) -> T:
        """Make what a visitor's page shows, which may wait. Errors: BusyError."""
        return await self.room.pages.run(visitor.name, work)


def _asked(request: Request) -> tuple[str, str]:
    """The statement and the epsilon of a form."""
    form = request.state.form
    return form.get("sql", "").replace("\r\n", "\n"), form.get("epsilon", "")[:40]


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, the first of each name."""
    body = await request.body()
    fields: dict[str, list[str]] = {}
    with suppress(ValueError):  # of a form with too many fields, or in another encoding
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    return {name: values[0] for name, values in fields.items()}


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _whole(text: str, usual: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else usual


def _stranger(request: Request) -> Hashable:
    """What stands for the name of whoever sent it, while that is not known."""
    return stranger(request.client.host if request.client else "")


def _told(request: Request, kind: str, line: str, status: int) -> Response:
    if _wants_json(request):
        return JSONResponse({"kind": kind, "line": line}, status)
    return PlainTextResponse(f"{line}\n", status)


async def _busy(request: Request, error: Exception) -> Response:
    assert isinstance(error, BusyError)
    return _told(request, "refused", _sentence(error), 429)


async def _full(request: Request, error: Exception) -> Response:
    assert isinstance(error, NoRoomError)
    return _told(request, "refused", _sentence(error), 503)


async def _late(request: Request, error: Exception) -> Response:
    del error
    return _told(request, "refused", "The request was not finished in time. Nothing was done.", 408)


def _sentence(error: DpduckError) -> str:
    """An error in a line."""
    return f"Not answered: {error.message}. {error.reason} {error.hint}"


async def _failed(request: Request, error: Exception) -> Response:
    """The constant answer to an unexpected exception, whose text may quote a private value."""
    del request, error
    said = "dpduck failed. This is a fault of dpduck itself; what was charged stands in the ledger."
    return PlainTextResponse(f"{said}\n", 500)
