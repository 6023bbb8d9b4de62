import { expect, test } from 'bun:test'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Row, Table } from '../../src/lib/table.ts'
import { readDeltaTable } from './folder-state.ts'
import { startMs } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { visibleRows } from './visible-rows.ts'

/** The table as versions knew it whose calls did not know of the calls below them. */
const { lineage: _, ...oldTable }: Table = callsTable

const usage = JSON.stringify({ usage: { m: { prompt_tokens: 2, completion_tokens: 1, requests: 1 } } })
const blank = Object.fromEntries(Object.keys(callsTable.specs).map((name) => [name, null])) as never

interface Call {
  readonly id: string
  readonly parent?: string
  readonly error?: string
  readonly summary?: string
  readonly trace?: string
  readonly atMs?: number
}

const row = ({ id, parent, error, summary, trace = 't', atMs = 0 }: Call): Row =>
  callsTable.row({
    ...(blank as object),
    ...{ project_id: 'p', id, trace_id: trace, parent_id: parent ?? null, op_name: 'op' },
    ...{ started_at: (startMs + atMs) * 1000, ended_at: (startMs + atMs + 5) * 1000, exception: error ?? null },
    ...{ attributes: '{}', inputs: '{}', summary: summary ?? null, ext_user_id: 'u', written_at: startMs * 1000 },
  } as never)

async function known(bench: StoreBench): Promise<Record<string, unknown>> {
  const rows = await visibleRows(bench.store, callsTable)
  return Object.fromEntries(
    rows.map(({ id, status, error_inside: error, usage_below: below }) => [
      id,
      [status, error === undefined ? null : JSON.parse(error as string), below ?? null],
    ]),
  )
}

const isDone = async (bench: StoreBench): Promise<boolean> =>
  (await bench.store.stats()).tables.every(({ unlearnedFiles }) => unlearnedFiles === 0) &&
  (await readDeltaTable(bench.tableFolder)).properties['tracelake.lineage'] === 'complete'

/** A folder with calls in three files, of which two are parts of one trace. */
async function oldFolder(): Promise<StoreBench> {
  const bench = await StoreBench.open([oldTable])
  const files = [
    [{ id: 'root' }, { id: 'fine', trace: 'u' }],
    [
      { id: 'agent', parent: 'root', atMs: 10 },
      { id: 'step', parent: 'agent', atMs: 11 },
    ],
    [
      { id: 'tool', parent: 'step', atMs: 20, error: 'ValueError: no' },
      { id: 'chat', parent: 'agent', atMs: 20, summary: usage },
      { id: 'gone', parent: 'fine', trace: 'u', atMs: 21, error: 'Gone' },
    ],
  ] as readonly Call[][]
  for (const calls of files) {
    await bench.store.write('calls', calls.map(row))
    await bench.store.flushAll()
  }
  return bench
}

const cause = (depth: number) => ({ call_id: 'tool', error: 'ValueError: no', depth })
const whole = {
  root: ['descendant_error', cause(3), 1],
  agent: ['descendant_error', cause(2), 1],
  step: ['descendant_error', cause(1), null],
  tool: ['error', null, null],
  chat: ['success', null, null],
  fine: ['success', null, null],
}

test('errors and usage propagate to calls of an earlier version after the start, once', async () => {
  await using old = await oldFolder()
  expect(await known(old)).toMatchObject({ root: ['success', null, null] })
  // The last call of `u` was deleted by a part that is only in the log.
  await old.store.write('calls', [callsTable.tombstone('p', 'gone', (startMs + 30) * 1000)])
  await using bench = await StoreBench.afterCrashOf(old, [callsTable])
  await until(() => isDone(bench))
  expect(await known(bench)).toEqual(whole)
  const { version } = await readDeltaTable(bench.tableFolder)
  await using again = await StoreBench.afterCrashOf(bench)
  expect(await isDone(again)).toBe(true)
  expect(await known(again)).toEqual(whole)
  expect((await readDeltaTable(again.tableFolder)).version).toBe(version)
  expect(bench.log.filter(({ msg }) => msg.startsWith('propagated'))).toMatchObject([{ table: 'calls' }])
  expect(again.log.filter(({ msg }) => msg.includes('propagat'))).toEqual([])
})

test('a store that closes or crashes while calls learn goes on where it was', async () => {
  const { memtableRowsMax } = storageLimits
  // Every file is saved on its own.
  Object.assign(storageLimits, { memtableRowsMax: 0 })
  try {
    await using old = await oldFolder()
    let bench = await StoreBench.afterCrashOf(old, [callsTable])
    for (let tries = 0; tries < 20 && !(await isDone(bench)); tries++) {
      const next = await (tries % 2 === 0 ? StoreBench.afterCrashOf(bench) : bench.reopen())
      if (next !== bench) await bench[Symbol.asyncDispose]()
      bench = next
    }
    await until(() => isDone(bench))
    expect(await known(bench)).toMatchObject({ root: whole.root, agent: whole.agent, step: whole.step })
    await bench[Symbol.asyncDispose]()
  } finally {
    Object.assign(storageLimits, { memtableRowsMax })
  }
})

test('calls that learn after a flush has failed do not forget it in a crash', async () => {
  await using old = await oldFolder()
  await using bench = await StoreBench.closedCopyOf(old, [callsTable])
  Object.assign(bench.options, { isMaintained: false })
  await bench.reopen()
  await bench.store.write('calls', [row({ id: 'new', trace: 'v' })])
  const filters = join(bench.tableFolder, '_filters')
  renameSync(filters, `${filters}-aside`)
  writeFileSync(filters, 'not a folder')
  await expect(bench.store.flush()).rejects.toThrow()
  rmSync(filters)
  renameSync(`${filters}-aside`, filters)
  await bench.store['parts'].tables.get('calls')?.['lineage'].runIfDue()
  expect(await isDone(bench)).toBe(true)
  await using after = await StoreBench.afterCrashOf(bench)
  expect(await known(after)).toMatchObject({ root: whole.root, agent: whole.agent, step: whole.step })
})

test('a new table has nothing to learn', async () => {
  await using bench = await StoreBench.open([callsTable])
  expect(await isDone(bench)).toBe(true)
})
