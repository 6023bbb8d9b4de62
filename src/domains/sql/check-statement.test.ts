import { afterAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { Database } from '../../runtime/duck/database.ts'
import { checkStatement } from './check-statement.ts'

const database = await Database.open({ memoryBytesMax: 100e6, temporaryFolder: tmpdir() })
afterAll(() => database.close())

async function check(statement: string): Promise<void> {
  for await (const { rows } of database.query(`SELECT json_serialize_sql(${textLiteral(statement)})`))
    for (const [serialized] of rows) checkStatement(String(serialized), statement, new Set(['calls', 'feedback']))
}

const allowed = [
  'SELECT * FROM calls',
  'FROM Calls c JOIN feedback f ON f.ref = c.id',
  'WITH a AS (FROM calls), b AS (FROM a) FROM b',
  'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) FROM t',
  'SELECT (SELECT max(id) FROM feedback), * FROM (FROM calls) WHERE id IN (FROM calls SELECT id)',
  "SELECT inputs->>'a', unnest([1, 2]), x.value FROM calls, json_each(inputs) x",
  'SELECT id, row_number() OVER (PARTITION BY trace_id ORDER BY started_at) FROM calls QUALIFY true',
  'VALUES (1), (2)',
  'SELECT count(*) FILTER (status = 1), quantile_cont(latency_ms, 0.5) FROM calls GROUP BY ALL;',
]

test.each(allowed)('allows %s', async (statement) => {
  expect(await check(statement)).toBeUndefined()
})

const attacks = [
  "SELECT * FROM read_parquet('**/*.parquet')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM glob('/*')",
  "SELECT content FROM read_blob('data/keys.json')",
  "COPY (SELECT 1) TO '/tmp/stolen.csv'",
  "ATTACH '/tmp/other.db'",
  'INSTALL httpfs',
  'PRAGMA database_list',
  'SET enable_external_access = true',
  'RESET enable_external_access',
  'DROP VIEW calls',
  'CREATE TABLE t AS SELECT 1',
  "UPDATE calls SET id = 'a'",
  'SELECT 1; SELECT * FROM calls',
  'SELECT * FROM main.calls',
  'SELECT * FROM memory.main.calls',
  'SELECT * FROM jobs',
  'SELECT * FROM idempotency_keys',
  'SELECT * FROM hot_calls_1',
  'SELECT * FROM mask_calls_1',
  'SELECT * FROM duckdb_views',
  'SELECT * FROM duckdb_views()',
  'SELECT * FROM information_schema.tables',
  'SELECT * FROM sqlite_master',
  'FROM (SHOW TABLES)',
  'FROM (DESCRIBE calls)',
  "SELECT * FROM query('SELECT * FROM duckdb_tables()')",
  "SELECT * FROM query_table('duckdb_tables')",
  "SELECT getenv('TRACELAKE_ADMIN_KEY')",
  "SELECT current_setting('temp_directory')",
  "SELECT json_serialize_plan('SELECT * FROM calls')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  // Names that WITH defines elsewhere, or around themselves, must not open tables of that name.
  'SELECT * FROM (WITH duckdb_tables AS (SELECT 1) SELECT * FROM duckdb_tables) a, duckdb_tables',
  'WITH duckdb_tables AS (SELECT * FROM duckdb_tables) SELECT * FROM duckdb_tables',
  'SELECT system.main.getenv(1)',
  'WITH RECURSIVE duckdb_tables AS (SELECT 1 UNION ALL SELECT 2) SELECT * FROM calls, main.duckdb_tables',
  "SELECT * FROM calls WHERE id IN (SELECT content FROM read_text('/etc/passwd'))",
  "SELECT * FROM calls ORDER BY (SELECT max(content) FROM read_text('/etc/passwd'))",
  "SELECT [x FOR x IN [getenv('HOME')]]",
  "SELECT list_transform([1], lambda x: getenv('HOME')) FROM calls",
]

test.each(attacks)('refuses %s', async (statement) => {
  expect(check(statement)).rejects.toThrow(/^Cannot run the statement: /)
})

const changes = ['DELETE FROM calls', "UPDATE calls SET id = 'a'", 'DROP VIEW calls']

test.each(changes)('says what is allowed instead of %s', async (statement) => {
  await expect(check(statement)).rejects.toThrow('only SELECT is allowed; nothing can be changed here')
})
