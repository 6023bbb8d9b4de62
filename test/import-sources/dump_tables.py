"""Writes some tables of a SQLite file as SQL, for the fixtures of the importers' tests.

usage: dump_tables.py FILE TABLE...
"""

import sqlite3
import sys

connection = sqlite3.connect(sys.argv[1])


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


for table in sys.argv[2:]:
    (definition,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    print(definition.replace("\t", "  ") + ";")
    # Generated columns cannot be inserted.
    columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0]
    names = ", ".join(f'"{name}"' for name in columns)
    for row in connection.execute(f'SELECT {names} FROM "{table}"'):
        print(f'INSERT INTO "{table}" ({names}) VALUES ({", ".join(map(literal, row))});')
