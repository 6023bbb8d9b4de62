"""The client's HTTP class, dressed as the server inside the process that its tests expect.

Five operations of that class ask the wrong thing or are not there in this version, so that an
application could not call them; here they ask what later versions of the client ask.
"""

import functools
import inspect
import json

import httpx
import pydantic_core
import pytest
from weave.shared import refs_internal
from weave.trace_server import errors
from weave.trace_server import trace_server_interface as tsi
from weave.trace_server.trace_server_converter import InvalidInternalRef
from weave.trace_server.validation_util import CHValidationError
from weave.trace_server_bindings.http_utils import handle_response_error
from weave.trace_server_bindings.remote_http_trace_server import RemoteHTTPTraceServer
from weave.utils import http_requests
from weave.wandb_interface import context

from users import FIRST_USER, Users

# A test may put another function in these places, to play a server of its own.
SEND = {
    "get": http_requests.get,
    "post": http_requests.post,
    "put": http_requests.client.put,
    "delete": http_requests.delete,
}

# The HTTP class reads a member of this request that the request does not have.
tsi.OpListReq.eager = None

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
    InvalidInternalRef,
    refs_internal.InvalidInternalRef,
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
        body = error.response.json()
    except ValueError:
        body = {}
    said = body.get("reason") or json.dumps(body.get("detail", str(error)))
    if status == 404 and "deleted_at" in body:
        return errors.ObjectDeletedError(said, tsi.datetime.datetime.fromisoformat(body["deleted_at"]))
    if status == 404:
        return Missing(said)
    if status == 400 and body.get("error_type") == "ValidationError":
        fault = pydantic_core.PydanticCustomError("refused", "{said}", {"said": said})
        return pydantic_core.ValidationError.from_exception_data("refused", [{"type": fault, "input": None}])
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
        # The server inside the process has none of these, and the tests look at what is asked of it.
        if name in ("remote_request_bytes_limit", "call_processor"):
            raise AttributeError(name)
        value = super().__getattribute__(name)
        if name not in OPERATIONS or not callable(value):
            return value
        return raising(self._as_user_of(value) if name.startswith("annot") else value)

    def _as_user_of(self, operation):
        """Requests on annotation queues name their user, whom the HTTP class leaves out of the body."""

        def wrapped(req):
            user = getattr(req, "wb_user_id", None)
            before = self._auth
            if user is not None:
                self.set_auth(("api", self._users.key(user)))
            try:
                return operation(req)
            finally:
                self.set_auth(before)

        return wrapped

    def get_call_processor(self):
        return None

    def get_feedback_processor(self):
        return None

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

    def _generic_request(self, url, req, req_model, res_model, method="POST", params=None):
        if method != "PUT":
            return super()._generic_request(url, req, req_model, res_model, method, params)
        answer = self._send("put", url, json=req.model_dump())
        handle_response_error(answer, url)
        return res_model.model_validate(answer.json())

    def table_query_stats_batch(self, req):
        url = "/table/query_stats_batch"
        return super()._generic_request(url, req, tsi.TableQueryStatsBatchReq, tsi.TableQueryStatsBatchRes)

    def table_update(self, req):
        # The HTTP class looks at its limit here.
        return super()._generic_request("/table/update", req, tsi.TableUpdateReq, tsi.TableUpdateRes)

    def eval_results_query(self, req):
        url = f"/v2/{req.project_id}/eval_results/query"
        return super()._generic_request(url, req, tsi.EvalResultsQueryReq, tsi.EvalResultsQueryRes)

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
        if kwargs.get("stream") and answer.status_code < 400:
            lines = answer.iter_lines
            answer.iter_lines = lambda: (self._users.from_wire(line.encode(), url).decode() for line in lines())
        else:
            answer.read()
            answer._content = self._users.from_wire(answer.content, url)
        return answer

    def close(self):
        pass
