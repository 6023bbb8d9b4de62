import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { viewsWith } from '../../src/domains/views/index.ts'
import { runCommand } from '../cli/command.ts'
import { differences } from './differences.ts'
import { serveAndFill } from './served.ts'

const data = await mkdtemp(path.join(tmpdir(), 'tracelake-views-'))
afterAll(() => rm(data, { recursive: true }))
const expected = await serveAndFill(data)

const instance = await DuckDBInstance.create()
const connection = await instance.connect()
await connection.run(`SET TimeZone = 'UTC'`)
for (const table of ['calls', 'feedback', 'table_rows']) await addTable(table)
const printed = await runCommand('views', data, '--engine', 'duckdb', '--tables', 'delta_{table}')
expect(printed.err).toBe('')
await connection.run(printed.out)

/** The files that the Delta log names, which DuckDB's own extension would read. */
async function addTable(table: string): Promise<void> {
  const folder = path.join(data, 'tables', table)
  const files = new Set<string>()
  for (const name of (await readdir(path.join(folder, '_delta_log'))).filter((each) => each.endsWith('.json')).sort()) {
    const lines = (await Bun.file(path.join(folder, '_delta_log', name)).text()).split('\n').filter(Boolean)
    for (const { add, remove } of lines.map((line): Record<'add' | 'remove', { path: string }> => JSON.parse(line))) {
      if (remove !== undefined) files.delete(remove.path)
      if (add !== undefined) files.add(add.path)
    }
  }
  const list = [...files].map((file) => `'${path.join(folder, file)}'`).join(', ')
  const rows = `read_parquet([${list}], union_by_name = true)`
  const none = 'SELECT NULL::VARCHAR AS project_id, NULL::VARCHAR AS digest, NULL::VARCHAR AS val WHERE false'
  await connection.run(`CREATE VIEW delta_${table} AS ${files.size === 0 ? none : `SELECT * FROM ${rows}`}`)
}

const rowsOf = async (statement: string) => (await connection.runAndReadAll(statement)).getRowObjectsJson()

describe('views in DuckDB', () => {
  test.each(Object.keys(expected))('%s has the rows that the API answers', async (view) => {
    expect(differences(view, expected[view]!, await rowsOf(`SELECT * FROM tracelake.${view}`))).toEqual([])
  })

  test.each(viewsWith([]).map((view) => [view.name, view] as const))(
    '%s has the columns that it describes',
    async (name, view) => {
      const described = await rowsOf(`DESCRIBE tracelake.${name}`)
      expect(described.map(({ column_name }) => column_name)).toEqual(Object.keys(view.columns))
    },
  )
})
