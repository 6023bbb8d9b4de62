import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Table, tableFromIPC } from 'apache-arrow'
import { isFailed } from '../../../src/lib/failed-calls.ts'
import { queryDuckDb } from '../../store/folder-state.ts'
import { parseDelimited } from '../support/delimited-text.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()

const isInside = { $expr: { $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'descendant_error' }] } }

/** What a list, its filter, its count and the statistics say of the calls with an error inside. */
async function expectInside(project: Project, ids: readonly string[]): Promise<void> {
  const all = await project.query()
  const listed = all.filter(({ summary }) => summary.ext['status'] === 'descendant_error').map(({ id }) => id)
  expect(listed.toSorted()).toEqual(ids.toSorted())
  expect((await project.idsOf({ query: isInside })).toSorted()).toEqual(ids.toSorted())
  expect((await project.stats({ query: isInside })).count).toBe(ids.length)
}

const columns = ['id', 'summary.ext.status', 'summary.ext.error_inside.error', 'summary.ext.error_inside.depth']
const cells = ['root', 'descendant_error', 'ValueError: no', '1']

/** The column of whole summaries, and those of paths in them, of every kind of download. */
const downloads: readonly [string, (bytes: Uint8Array) => Promise<unknown[][]>][] = [
  ['text/csv', async (bytes) => parseDelimited(new TextDecoder().decode(bytes), ',').slice(1)],
  ['text/tab-separated-values', async (bytes) => parseDelimited(new TextDecoder().decode(bytes), '\t').slice(1)],
  ['application/vnd.apache.arrow.stream', async (bytes) => rowsOf(tableFromIPC(bytes))],
  ['application/vnd.apache.parquet', rowsOfParquet],
]

const rowsOf = (table: Table): unknown[][] => table.toArray().map((row) => Object.values(row.toJSON()))

async function rowsOfParquet(bytes: Uint8Array): Promise<unknown[][]> {
  const folder = await makeTempFolder()
  try {
    const file = join(folder, 'calls.parquet')
    await Bun.write(file, bytes)
    return (await queryDuckDb(`FROM '${file}'`)).map((row) => Object.values(row))
  } finally {
    await removeFolder(folder)
  }
}

test.each(downloads)('%s contains the error inside', async (accept, read) => {
  const project = freshProject(server)
  await project.add({ id: 'root', ...t }, { id: 'tool', parent_id: 'root', ...t, ...failed })
  const filter = { trace_roots_only: true }
  const paths = await project.ask({ columns, filter }, accept)
  expect(await read(paths.bytes)).toEqual([cells])
  const whole = await project.ask({ columns: ['summary'], filter }, accept)
  const [row] = await read(whole.bytes)
  expect(row!.map(String).join()).toContain('"error_inside":{"call_id":"tool","error":"ValueError: no","depth":1}')
})

const t = { trace_id: 't' }
const failed = { exception: 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no' }

describe('a call knows of an error inside', () => {
  test('when its descendant fails after it has ended', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'root', ...t }, { id: 'step', parent_id: 'root', ...t })
    await project.start({ id: 'tool', parent_id: 'step', ...t })
    await expectInside(project, [])
    await project.end({ id: 'tool', ...failed })
    await expectInside(project, ['root', 'step'])
  })

  test('at the next read by id, when both are in a file and the end of the descendant comes', async () => {
    const project = freshProject(server)
    const batch = { project_id: project.id, ...t, started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: {} }
    await project.add({ id: 'root', ...t })
    await server.post('/call/start', { start: { ...batch, id: 'tool', op_name: 'tool', parent_id: 'root' } })
    await server.post('/flush', {})
    const ended_at = '2026-01-01T00:00:01Z'
    const end = { project_id: project.id, id: 'tool', ended_at, ...failed, summary: {} }
    expect((await server.post('/call/end', { end })).status).toBe(200)
    const { json } = await server.post('/call/read', { project_id: project.id, id: 'root' })
    expect(json).toMatchObject({ call: { summary: { ext: { status: 'descendant_error' } } } })
  })

  test('when it arrives after its descendants', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'tool', parent_id: 'step', ...t, ...failed })
    await project.complete({ id: 'step', parent_id: 'root', ...t })
    await project.complete({ id: 'root', ...t })
    await expectInside(project, ['root', 'step'])
  })

  test('when all come in one batch', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', ...t },
      { id: 'step', parent_id: 'root', ...t },
      { id: 'tool', parent_id: 'step', ...t, ...failed },
      { id: 'other', trace_id: 'u' },
    )
    await expectInside(project, ['root', 'step'])
  })

  test('but not against what its client counts', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', ...t, summary: { status_counts: { success: 2, error: 0 } } },
      { id: 'tool', parent_id: 'root', ...t, ...failed },
    )
    await expectInside(project, [])
  })

  test('and runs on while it has not ended', async () => {
    const project = freshProject(server)
    await project.add({ id: 'root', ...t, ended_at: null }, { id: 'tool', parent_id: 'root', ...t, ...failed })
    expect((await project.readExisting('root')).summary.ext['status']).toBe('running')
    await project.end({ id: 'root' })
    await expectInside(project, ['root'])
  })

  test('and has failed then already', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', ...t, ended_at: null },
      { id: 'tool', parent_id: 'root', ...t, ...failed },
      { id: 'running', trace_id: 'u', ended_at: null },
      { id: 'fine', trace_id: 'v' },
      { id: 'counted', trace_id: 'w', summary: { status_counts: { success: 2, error: 0 } } },
      { id: 'retried', trace_id: 'w', parent_id: 'counted', ...failed },
    )
    const hasFailed = async () => (await project.idsOf({ query: { $expr: isFailed } })).toSorted()
    expect(await hasFailed()).toEqual(['retried', 'root', 'tool'])
    await project.end({ id: 'root' })
    expect(await hasFailed()).toEqual(['retried', 'root', 'tool'])
    const others = await project.idsOf({ query: { $expr: { $not: [isFailed] } } })
    expect(others.toSorted()).toEqual(['counted', 'fine', 'running'])
  })

  test('until the descendant is deleted, and of another one from then on', async () => {
    const project = freshProject(server)
    await project.add(
      { id: 'root', ...t },
      { id: 'step', parent_id: 'root', ...t },
      { id: 'tool', parent_id: 'step', ...t, exception: 'KeyError: tool' },
      { id: 'other', parent_id: 'root', ...t, exception: 'KeyError: other' },
    )
    await expectInside(project, ['root', 'step'])
    const errorOf = async (id: string) => (await project.readExisting(id)).summary.ext['error_inside']
    expect(await errorOf('root')).toEqual({ call_id: 'tool', error: 'KeyError: tool', depth: 2 })
    await project.delete('tool')
    await expectInside(project, ['root'])
    expect(await errorOf('root')).toEqual({ call_id: 'other', error: 'KeyError: other', depth: 1 })
    await project.delete('other')
    await expectInside(project, [])
    await project.add({ id: 'late', parent_id: 'step', ...t, exception: 'KeyError: late' })
    await expectInside(project, ['root', 'step'])
  })
})
