import { afterAll, expect, test } from 'bun:test'
import type { Project } from '../conformance/support/project.ts'
import { freshProject } from '../conformance/support/target.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { ServerChild } from '../crash/server-child.ts'
import { parquetFiles, queryDuckDb, readDeltaTable, readLogFiles, tableFolder } from './folder-state.ts'

const testMsMax = 120_000
const adminKey = 'e'.repeat(40)
const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) await removeFolder(folder)
})

/** Runs `write` against a server on a new folder; the caller stops the server. */
async function servedFolder(write: (project: Project) => Promise<void>): Promise<{
  server: ServerChild
  project: Project
  table: string
}> {
  const data = await makeTempFolder()
  folders.push(data)
  const server = new ServerChild({ kind: 'plain', data, adminKey })
  const project = freshProject(await server.listening())
  await write(project)
  return { server, project, table: tableFolder(data, 'calls') }
}

async function writeCalls(project: Project): Promise<void> {
  await project.complete(
    ...Array.from({ length: 40 }, (_, index) => ({
      id: `call-${String(index).padStart(2, '0')}`,
      started_at: `2024-05-01T10:00:${String(index).padStart(2, '0')}.000001Z`,
      inputs: { 'a.b': [index, null, { c: 'ä \u{1f600}' }] },
      output: index % 2 === 0 ? { text: 'x'.repeat(index) } : null,
      exception: index % 5 === 0 ? 'it went wrong' : null,
    })),
  )
  await project.update('call-01', 'A name')
  await project.delete('call-02')
  await project.start({ id: 'call-99', started_at: '2024-05-01T12:00:00Z' })
}

test(
  'after a clean stop, DuckDB reads the same from the Parquet files as the API returned',
  async () => {
    const { server, project, table } = await servedFolder(writeCalls)
    const answered = await project.query({ sort_by: [{ field: 'id', direction: 'asc' }] })
    expect(answered).toHaveLength(40)
    expect(await server.stop()).toBe(0)

    const rows = await queryDuckDb(
      `SELECT id, trace_id, op_name, display_name, exception, inputs, output, status,
              strftime(started_at::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%fZ') AS started_at, ended_at IS NULL AS runs
       FROM read_parquet('${table}/*.parquet') WHERE project_id = '${project.id}' ORDER BY id`,
    )
    const read = rows.map(({ inputs, output, started_at, ...row }) => ({
      ...row,
      inputs: JSON.parse(String(inputs)),
      output: output === null ? null : JSON.parse(String(output)),
      started_at: String(started_at).replace('.000000Z', 'Z'),
    }))
    const expected = answered.map((call) => ({
      id: call.id,
      trace_id: call.trace_id,
      op_name: call.op_name,
      display_name: call.display_name,
      exception: call.exception,
      inputs: call.inputs,
      output: call.output,
      status: call.summary.ext['status'],
      started_at: call.started_at,
      runs: call.ended_at === null,
    }))
    expect<unknown>(read).toEqual(expected)
    const named = (await readDeltaTable(table)).files
    const [inDelta] = await queryDuckDb(`SELECT count(*)::INTEGER AS count FROM ${parquetFiles(table, named)}`)
    expect(inDelta).toEqual({ count: 40 })
  },
  testMsMax,
)

test(
  'after kill -9, the Arrow library reads every acknowledged call from the log',
  async () => {
    const { server, project, table } = await servedFolder(writeCalls)
    await server.kill()
    const rows = readLogFiles(table).flatMap(({ table: batches }) => batches.toArray().map((row) => row.toJSON()))
    const ofProject = rows.filter((row) => row['project_id'] === project.id)
    const ids = new Set(ofProject.map((row) => row['id']))
    expect(ids.size).toBe(41)
    expect(ofProject.find((row) => row['id'] === 'call-02' && row['deleted_at'] !== null)).toBeDefined()
    expect(ofProject.findLast((row) => row['id'] === 'call-01')).toMatchObject({ display_name: 'A name' })
    const call = ofProject.find((row) => row['id'] === 'call-07')!
    expect(JSON.parse(call['inputs'])).toEqual({ 'a.b': [7, null, { c: 'ä \u{1f600}' }] })
  },
  testMsMax,
)
