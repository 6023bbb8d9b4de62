"""Counts the rows of a lake with delta-rs and with ClickHouse, and compares the calls with a ledger.

Usage: count.py ENDPOINT BUCKET PREFIX DUE
DUE is a JSON file: {"calls": {project: [id, ...]}, "keys": {table: [column, ...]}}.
Prints a line for each difference, and one "rows ENGINE TABLE COUNT" for each table.
"""

import json
import sys

import chdb
from deltalake import DeltaTable

endpoint, bucket, prefix, due_file = sys.argv[1:]
with open(due_file) as file:
    due = json.load(file)
storage = {
    'AWS_ENDPOINT_URL': endpoint,
    'AWS_ALLOW_HTTP': 'true',
    'AWS_ACCESS_KEY_ID': 'key',
    'AWS_SECRET_ACCESS_KEY': 'secret',
    'AWS_REGION': 'us-east-1',
}


def by_delta(table, columns):
    """The columns of all rows, with delta-rs."""
    found = DeltaTable(f's3://{bucket}/{prefix}/tables/{table}', storage_options=storage)
    rows = found.to_pyarrow_table(columns=columns)
    return list(zip(*(rows.column(name).to_pylist() for name in columns)))


def by_clickhouse(table, columns):
    """The columns of all rows, with ClickHouse."""
    names = ', '.join(f'"{name}"' for name in columns)
    place = f"deltaLake('{endpoint}/{bucket}/{prefix}/tables/{table}/', 'key', 'secret')"
    answer = chdb.query(f'SELECT {names} FROM {place}', 'JSONCompactEachRow').bytes().decode()
    return [tuple(json.loads(line)) for line in answer.splitlines()]


def differences(engine, read):
    for table, key in due['keys'].items():
        try:
            keys = read(table, key)
        except Exception as error:
            print(f'{engine} cannot read {table}: {str(error).splitlines()[0][:300]}')
            continue
        print(f'rows {engine} {table} {len(keys)}')
        if len(set(keys)) != len(keys):
            print(f'{engine}: {len(keys) - len(set(keys))} keys of {table} are doubled')
    # The end of a call whose start has not arrived has no op_name, and is no call yet.
    found = {}
    for project, id, op_name in read('calls', ['project_id', 'id', 'op_name']):
        if op_name is not None:
            found.setdefault(project, set()).add(id)
    for project, ids in due['calls'].items():
        there = found.get(project, set())
        lost, other = set(ids) - there, there - set(ids)
        if lost:
            print(f'{engine}: {len(lost)} calls of {project} are lost, such as {sorted(lost)[0]}')
        if other:
            print(f'{engine}: {len(other)} calls of {project} should not be there, such as {sorted(other)[0]}')


differences('delta-rs', by_delta)
differences('ClickHouse', by_clickhouse)
