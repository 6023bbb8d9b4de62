"""Users as the tests name them, and as tracelake knows them: by the id of their key."""

import base64
import json
import re

FIRST_USER = "shawn"
FIRST_ID = "admin"

MEMBER = re.compile(rb'("(wb_user_id|created_by|added_by|annotator_user_id)"\s*:\s*")([^"\\]*)(")')


class Users:
    """The first user has the server's admin key; every other gets a key when a test first names it."""

    def __init__(self, server):
        self._server = server
        self._keys = {FIRST_USER: server.admin_key}
        self._ids = {FIRST_USER: FIRST_ID}

    def key(self, user):
        if user not in self._keys:
            self._keys[user] = self._server.create_key(user)
            self._ids[user] = self._keys[user][:8]
        return self._keys[user]

    def to_wire(self, body):
        """Names in a filter as ids."""
        if not isinstance(body, bytes) or (b'"wb_user_ids":[' not in body and b'"added_by":"' not in body):
            return body
        parsed = json.loads(body)
        wanted = parsed["filter"]
        if wanted.get("wb_user_ids"):
            wanted["wb_user_ids"] = [self._ids.get(user, user) for user in wanted["wb_user_ids"]]
        if wanted.get("added_by"):
            wanted["added_by"] = self._ids.get(wanted["added_by"], wanted["added_by"])
        return json.dumps(parsed).encode()

    def from_wire(self, answer, url):
        """Ids in an answer as names. Takes and gives bytes."""
        names = {id.encode(): user.encode() for user, id in self._ids.items()}

        def named(found):
            name = names.get(found[3])
            if name is None:
                return found[0]
            # The server of the tests hands these out in the form that it has inside.
            if url.startswith("/obj") or found[2] == b"annotator_user_id":
                name = base64.b64encode(name)
            return found[1] + name + found[4]

        return MEMBER.sub(named, answer)
