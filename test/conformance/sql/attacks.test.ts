import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSqlTask } from '../../../src/domains/sql/index.ts'
import { consoleStatement } from '../../../src/lib/limits/sql.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { attacks } from './attacks.ts'

const { client, data } = await ownServer()
await freshProject(client).add({ id: 'a' }, { id: 'b' })
await client.post('/flush', {})
const outside = await makeTempFolder()
const place = join(outside, 'secret.csv')
writeFileSync(place, 'column0,column1\nMARKER,MARKER\n')
afterAll(() => removeFolder(outside))

const filled = (statement: string) =>
  statement.replaceAll('PLACE', place).replaceAll('KEYS', join(data, 'keys.json')).replaceAll('FOLDER', data)

/** What the process of a statement does, without its start. */
const run = (statement: string) =>
  runSqlTask(
    {
      dataFolder: data,
      temporaryFolder: join(outside, 'tmp'),
      statement,
      rowsMax: 100,
      format: 'json',
      limits: consoleStatement,
    },
    () => {},
  )

for (const [what, statements] of Object.entries(attacks)) {
  describe(what, () => {
    test.each([...statements])('%s', async (statement, refusal) => {
      const { outcome, rows } = await run(filled(statement))
      expect(outcome).toMatchObject({ refused: expect.stringContaining(refusal) })
      expect(`${JSON.stringify(outcome)}${rows}`).not.toContain('MARKER')
    })
  })
}

test('there are more than a hundred of them', () => {
  expect(Object.values(attacks).flat().length).toBeGreaterThan(150)
})

test('they are refused over HTTP as well, and the server stays healthy', async () => {
  const first = Object.values(attacks).map((statements) => statements[0]?.[0] ?? '')
  for (const statement of first) {
    const answer = await client.post('/sql', { statement: filled(statement) })
    expectRefusal(answer, 400)
    expect(answer.text).not.toContain('MARKER')
  }
  expect((await client.get('/health')).status).toBe(200)
}, 300_000)

test('what is allowed still answers', async () => {
  const statements = [
    'VALUES (1), (2)',
    'TABLE calls',
    'FROM calls',
    'FROM calls SELECT id',
    'SELECT id FROM "CALLS" AS "Calls" UNION BY NAME SELECT call_id FROM usage',
    'SELECT * FROM (PIVOT calls ON status IN (1) USING count(*) GROUP BY op_name)',
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) FROM t',
    'FROM range(3) a POSITIONAL JOIN range(3) b',
    "SELECT set_bit('0101'::BIT, 0, 1), list_transform([1, 2], lambda x: x + 1), regexp_matches('a', 'b')",
    "SELECT ';--', 'read_text(''x'')' -- a comment; with a semicolon",
    'SELECT count(*) FROM calls;',
  ]
  for (const statement of statements) expect((await run(statement)).outcome).not.toHaveProperty('refused')
}, 120_000)
