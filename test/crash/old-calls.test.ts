import { expect, test } from 'bun:test'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import type { Row, Table } from '../../src/lib/table.ts'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { StoreBench } from '../store/store-bench.ts'
import { until } from '../store/until.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'o'.repeat(40)
const files = 8
const tracesOfFile = 250
const traces = files * tracesOfFile
const kills = 3

/** The table of versions whose calls knew nothing of the calls below them. */
const { lineage: _, ...oldTable }: Table = callsTable

const startMs = Date.UTC(2024, 4, 1)
const blank = callsTable.columns.map(() => null)

/** A trace of three calls, of which the innermost fails. */
function traceOf(number: number): Row[] {
  const { at } = callsTable
  return [0, 1, 2].map((level) => {
    const row: Row = [...blank]
    const micros = (startMs + number) * 1000
    row[at.project_id] = 'crash/old'
    row[at.id] = `${number}-${level}`
    row[at.trace_id] = `t${number}`
    row[at.parent_id] = level === 0 ? null : `${number}-${level - 1}`
    row[at.op_name] = `level-${level}`
    row[at.started_at] = micros
    row[at.ended_at] = micros + 5
    row[at.exception] = level === 2 ? `Error: of ${number}` : null
    row[at.attributes] = '{}'
    row[at.inputs] = '{}'
    row[at.ext_user_id] = 'u'
    row[at.written_at] = micros
    return row
  })
}

const insideOf = async (project: Project): Promise<number> => {
  const query = { $expr: { $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'descendant_error' }] } }
  return (await project.stats({ query })).count
}

test('calls of an earlier version all learn of errors below them, although the server is killed meanwhile', async () => {
  const data = await makeTempFolder()
  const projectOn = (client: Client) => new Project(client, 'crash', 'old')
  try {
    const bench = await StoreBench.openAt(data, { tables: [oldTable], nowMs: startMs })
    for (let file = 0; file < files; file++) {
      const numbers = Array.from({ length: tracesOfFile }, (_, index) => file * tracesOfFile + index)
      await bench.store.write('calls', numbers.flatMap(traceOf))
      await bench.store.flushAll()
    }
    await bench.close()
    for (let kill = 0; kill < kills; kill++) {
      const server = new ServerChild({ kind: kill === 1 ? 'flushing' : 'plain', data, adminKey })
      try {
        const project = projectOn(await server.listening())
        await until(async () => (await insideOf(project)) > ((kill + 1) * traces) / kills)
      } finally {
        await server.kill()
      }
    }
    const last = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      const project = projectOn(await last.listening())
      await until(async () => (await insideOf(project)) === 2 * traces)
      const calls = await project.query({ columns: ['id', 'summary'], sort_by: [{ field: 'id', direction: 'asc' }] })
      expect(calls).toHaveLength(3 * traces)
      for (const { id, summary } of calls) {
        const [number, level] = String(id).split('-').map(Number) as [number, number]
        const inside = { call_id: `${number}-2`, error: `Error: of ${number}`, depth: 2 - level }
        const { status, error_inside: known } = summary['ext'] as Record<string, unknown>
        expect({ id, status, known }).toEqual({
          id,
          ...(level === 2 ? { status: 'error', known: undefined } : { status: 'descendant_error', known: inside }),
        })
      }
    } finally {
      await last.kill()
    }
  } finally {
    await removeFolder(data)
  }
}, 600_000)
