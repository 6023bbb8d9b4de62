"""Users as the tests name them, and as tracelake knows them: by the id of their key."""

import json
import re

FIRST_USER = "shawn"
FIRST_ID = "admin"

MEMBER = re.compile(rb'("wb_user_id"\s*:\s*")([^"\\]*)(")')


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
        if not isinstance(body, bytes) or b'"wb_user_ids":[' not in body:
            return body
        parsed = json.loads(body)
        users = parsed["filter"]["wb_user_ids"]
        parsed["filter"]["wb_user_ids"] = [self._ids.get(user, user) for user in users]
        return json.dumps(parsed).encode()

    def from_wire(self, answer):
        """Ids in an answer as names. Takes and gives bytes."""
        names = {id.encode(): user.encode() for user, id in self._ids.items()}
        return MEMBER.sub(lambda found: found[1] + names.get(found[2], found[2]) + found[3], answer)
