import { expect, test } from 'bun:test'
import { runCommand } from '../cli/command.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { readDocuments } from './documents.ts'

const server = await ownServer()
const project = freshProject(server.client)
const usage = { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100 } }
await project.add({ id: 'kept', summary: { usage } }, { id: 'changed' }, { id: 'deleted' })
const rows = [{ n: 1 }, { n: 2 }, { n: 1 }]
const created = await server.client.post<{ digest: string }>('/table/create', {
  table: { project_id: project.id, rows },
})
await server.client.post('/flush', {})
await project.update('changed', 'renamed')
await server.client.post('/calls/delete', { project_id: project.id, call_ids: ['deleted'] })
await server.client.post('/flush', {})
await project.add({ id: 'in-memory' })

/** The statements of the page about the data folder. */
const page = (await readDocuments()).find(({ file }) => file === 'docs/data-on-disk.md')!
const statements = [...page.text.matchAll(/^```sql\n(.*?)^```/gms)].map(([, statement]) => statement!)

/** What each returns, by a text in it. */
const answers: Readonly<Record<string, unknown>> = {
  'SELECT * FROM calls;': [{ id: 'changed' }, { id: 'in-memory' }, { id: 'kept' }],
  'FROM usage': [{ model: 'gpt-4o', 'sum(input_tokens)': 1000, cost: 0.0035 }],
  'FROM table_lists': rows.map((row) => ({ val: JSON.stringify(row) })),
  'FROM objects': [],
}

test('every statement of the page about the data folder is known', () => {
  expect(statements.filter((text) => !Object.keys(answers).some((part) => text.includes(part)))).toEqual([])
})

test.each(Object.entries(answers))(
  '%s reads what the server shows',
  async (part, expected) => {
    const statement = statements
      .find((text) => text.includes(part))!
      .replaceAll('DIGEST', created.json.digest)
      .replaceAll('acme/support-bot', project.id)
    const { out, err } = await runCommand('sql', statement, '--format', 'jsonl', '--data', server.data)
    expect(err).toBe('')
    const found = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    if (part === 'SELECT * FROM calls;') found.sort((a, b) => String(a['id']).localeCompare(String(b['id'])))
    expect(found).toMatchObject(expected as object)
  },
  120_000,
)
