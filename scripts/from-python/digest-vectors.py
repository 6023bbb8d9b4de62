#!/usr/bin/env python3
"""Has Python print the texts of src/runtime/python-json.vectors.json again, and the digests of what it prints.

Needs Python 3 alone. New texts go into the file with "text" only:
    python3 scripts/from-python/digest-vectors.py src/runtime/python-json.vectors.json
"""

import base64
import hashlib
import json
import sys


def digest(text: str) -> str:
    url_safe = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return url_safe.replace("-", "X").replace("_", "Y").rstrip("=")


def vector(text: str) -> dict[str, str]:
    value = json.loads(text)
    in_order, python = json.dumps(value), json.dumps(value, sort_keys=True)
    return {
        "text": text,
        "python": python,
        "digest": digest(python),
        "inOrder": in_order,
        "digestInOrder": digest(in_order),
    }


with open(sys.argv[1], encoding="utf-8") as file:
    vectors = [vector(known["text"]) for known in json.load(file)]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(vectors, file, ensure_ascii=False, indent=2)
    file.write("\n")
