#!/usr/bin/env python3
"""Writes the names of all emoji as the Python package `emoji` spells them, and what it answers for the test of reactions.

    pip install emoji==2.16.0
    python3 scripts/from-python/emoji-names.py

The names are those of Unicode's emoji list (Unicode License v3) in the package's spelling (BSD 3-clause, see
src/domains/feedback/emoji-names.LICENSE.txt).
"""

import gzip
import json
import re

import emoji

tone = re.compile(r"_(light|medium-light|medium|medium-dark|dark)_skin_tone")
wanted = (emoji.STATUS["component"], emoji.STATUS["fully_qualified"])
listed = [text for text, data in emoji.EMOJI_DATA.items() if data["status"] in wanted]

names = {text: emoji.EMOJI_DATA[text]["en"].strip(":") for text in listed}
with open("src/domains/feedback/emoji-names.json", "w", encoding="utf-8") as file:
    json.dump(names, file, ensure_ascii=False, indent=2)
    file.write("\n")


def answer(text: str) -> dict[str, str]:
    alias = emoji.demojize(text)
    toneless = tone.sub("", alias)
    return {
        "emoji": text,
        "alias": alias,
        "detoned": emoji.emojize(toneless),
        "detoned_alias": emoji.demojize(emoji.emojize(toneless)),
    }


answers = json.dumps([answer(text) for text in listed], ensure_ascii=True)
with open("test/conformance/feedback/emoji-answers.json.gz", "wb") as file:
    file.write(gzip.compress(answers.encode(), mtime=0))
