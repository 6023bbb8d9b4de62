"""The client's HTTP class, dressed as the server inside the process that its tests expect."""

import functools
import inspect
import json

import httpx
import pytest
from weave.trace_server import errors
from weave.trace_server import trace_server_interface as tsi
from weave.trace_server.validation_util import CHValidationError
from weave.trace_server_bindings.remote_http_trace_server import RemoteHTTPTraceServer
from weave.utils import http_requests
from weave.wandb_interface import context

from users import FIRST_USER, Users

# A test may put another function in these places, to play a server of its own.
SEND = {"get": http_requests.get, "post": http_requests.post, "delete": http_requests.delete}

OPERATIONS = frozenset(
    name
    for interface in (tsi.TraceServerInterface, tsi.ObjectInterface, tsi.FullTraceServerInterface)
    for name, value in vars(interface).items()
    if callable(value) and not name.startswith("_")
)


class Refused(
    errors.InvalidRequest,
    errors.InvalidFieldError,
    errors.InvalidExternalRef,
    errors.InvalidIdFormat,
    CHValidationError,
    ValueError,
):
    """400 and 422: what the tests know as several classes is one status on the wire."""


class Missing(errors.NotFoundError, errors.ProjectNotFound):
    """404."""


class InternalServer:
    """Stands where the tests look for the internals of the server inside their process."""

    def __getattr__(self, name):
        pytest.skip(f"over HTTP: the test reaches into the server's process ({name})")


def exception_of(error):
    """What a server inside the process would have raised instead of answering with this status."""
    status = error.response.status_code
    try:
        error.response.read()
        body = error.response.json()
    except ValueError:
        body = {}
    said = body.get("reason") or json.dumps(body.get("detail", str(error)))
    if status == 404 and "deleted_at" in body:
        return errors.ObjectDeletedError(said, tsi.datetime.datetime.fromisoformat(body["deleted_at"]))
    if status == 404:
        return Missing(said)
    if status in (400, 409, 422):
        return Refused(said)
    return error


def raising(operation):
    """The operation, with refusals as the exceptions that the tests wait for."""

    def items(iterator):
        try:
            yield from iterator
        except httpx.HTTPStatusError as error:
            raise exception_of(error) from error

    @functools.wraps(operation)
    def wrapped(*args, **kwargs):
        try:
            answer = operation(*args, **kwargs)
        except httpx.HTTPStatusError as error:
            raise exception_of(error) from error
        return items(answer) if inspect.isgenerator(answer) else answer

    return wrapped


class TraceServerProxy(RemoteHTTPTraceServer):
    def __init__(self, server):
        super().__init__(server.address)
        self._users = Users(server)
        self._internal_trace_server = InternalServer()
        self._user_id = FIRST_USER

    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        return raising(value) if name in OPERATIONS and callable(value) else value

    @property
    def ch_client(self):
        return self._internal_trace_server.ch_client

    @property
    def _user_id(self):
        return self._current_user

    @_user_id.setter
    def _user_id(self, user):
        """The tests name the user of the requests that follow; a user is a key."""
        self._current_user = user
        self.set_auth(("api", self._users.key(user)))

    def ensure_project_exists(self, entity, project):
        token = context.set_wandb_api_context("", self._auth[1], None, None)
        try:
            return super().ensure_project_exists(entity, project)
        finally:
            if token is not None:
                context.reset_wandb_api_context(token)

    def get(self, url, *args, **kwargs):
        return self._send("get", url, *args, **kwargs)

    def post(self, url, *args, **kwargs):
        return self._send("post", url, *args, **kwargs)

    def delete(self, url, *args, **kwargs):
        return self._send("delete", url, *args, **kwargs)

    def _send(self, method, url, *args, **kwargs):
        headers = self._build_dynamic_request_headers()
        if "data" in kwargs:
            kwargs["data"] = self._users.to_wire(kwargs["data"])
        answer = SEND[method](self.trace_server_url + url, *args, auth=self._auth, headers=headers, **kwargs)
        if kwargs.get("stream"):
            lines = answer.iter_lines
            answer.iter_lines = lambda: (self._users.from_wire(line.encode()).decode() for line in lines())
        else:
            answer._content = self._users.from_wire(answer.content)
        return answer

    def close(self):
        pass
