import { expect, test } from 'bun:test'
import { encodeCalls } from '../../src/domains/calls/intake/prepare.ts'
import { noErrorInside } from '../../src/engine/tables/call-lineage.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { BatchCodec } from '../../src/engine/wal/batch-codec.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import type { Row, Table } from '../../src/lib/table.ts'
import { changeLimits } from './change-limits.ts'
import { Random, seedOr } from './random.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { type VisibleRow, visibleRows } from './visible-rows.ts'

const codec = new BatchCodec(callsTable)

/** A call of a tree, as a client would know it. */
interface Node {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
  readonly exception: string | null
  readonly usage: boolean
}

const { at } = callsTable

/** The table of versions whose calls knew nothing of the calls below them. */
const { lineage: _, ...oldTable }: Table = callsTable

/** Waits until calls that such a version has stored know what they should. */
async function learned(bench: StoreBench): Promise<void> {
  await until(async () => (await bench.store.stats()).tables.every(({ unlearnedFiles }) => unlearnedFiles === 0))
}
const empty = callsTable.columns.map(() => null)

function startOf(node: Node, micros: number): Row {
  const row: Row = [...empty]
  Object.assign(row, {
    [at.project_id]: 'p',
    [at.id]: node.id,
    [at.trace_id]: node.traceId,
    [at.parent_id]: node.parentId,
    [at.op_name]: 'op',
    [at.started_at]: micros,
    [at.attributes]: '{}',
    [at.inputs]: '{}',
    [at.ext_user_id]: 'u',
    [at.written_at]: micros,
  })
  return row
}

function endOf(node: Node, micros: number): Row {
  const row: Row = [...empty]
  Object.assign(row, {
    [at.project_id]: 'p',
    [at.id]: node.id,
    [at.ended_at]: micros + 10,
    [at.exception]: node.exception,
    [at.summary]: node.usage ? '{"usage":{"gpt-5":{"input_tokens":3}}}' : '{}',
    [at.written_at]: micros,
  })
  return row
}

const wholeOf = (node: Node, micros: number): Row => {
  const end = endOf(node, micros)
  return startOf(node, micros).map((cell, index) => end[index] ?? cell)
}

function randomForest(random: Random, count: number, isShuffled: boolean): Node[] {
  const nodes: Node[] = []
  for (let index = 0; index < count; index++) {
    const parent = random.chance(0.15) ? undefined : nodes[random.below(nodes.length)]
    const id = `call-${random.below(1e9)}-${index}`
    nodes.push({
      id,
      // A parent in another trace learns nothing. (One that two traces claim before it has arrived
      // learns of the first of them.)
      traceId: parent !== undefined && (isShuffled || !random.chance(0.05)) ? parent.traceId : `trace-${index}`,
      parentId: parent?.id ?? (random.chance(0.1) ? 'never-sent' : null),
      exception: random.chance(0.12) ? `Error: of ${id}` : null,
      usage: random.chance(0.15),
    })
  }
  return nodes
}

interface Expected {
  readonly error: { readonly call_id: string; readonly error: string; readonly depth: number } | undefined
  readonly usage: boolean
}

/** What is below a call, by a walk down the tree. */
function expectedOf(node: Node, nodes: readonly Node[]): Expected {
  let error: Expected['error']
  let usage = false
  let level = nodes.filter((child) => child.parentId === node.id && child.traceId === node.traceId)
  for (let depth = 1; level.length > 0; depth++) {
    usage ||= level.some((below) => below.usage)
    const failed = level.filter(({ exception }) => exception !== null).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]
    if (failed !== undefined) error = { call_id: failed.id, error: failed.exception!, depth }
    level = nodes.filter((below) => level.some(({ id, traceId }) => below.parentId === id && below.traceId === traceId))
  }
  return { error, usage }
}

const known = (row: VisibleRow) => ({
  error: row['error_inside'] === undefined ? undefined : JSON.parse(String(row['error_inside'])),
  usage: row['usage_below'] === 1,
})

/** Checks every call whose start has been sent, given the ones whose end has, too. */
async function compare(bench: StoreBench, nodes: readonly Node[], started: Set<string>, ended: Set<string>) {
  const rows = await visibleRows(bench.store, callsTable)
  const sent = nodes
    .filter(({ id }) => started.has(id))
    .map((node) => (ended.has(node.id) ? node : { ...node, exception: null, usage: false }))
  expect(rows).toHaveLength(sent.length)
  for (const row of rows) {
    const node = sent.find(({ id }) => id === row['id'])!
    const expected = expectedOf(node, sent)
    expect({ id: node.id, ...known(row) }).toEqual({ id: node.id, ...expected })
    const status = node.exception
      ? 'error'
      : !ended.has(node.id)
        ? 'running'
        : expected.error
          ? 'descendant_error'
          : 'success'
    expect(row['status']).toBe(status)
  }
}

for (let round = 0; round < 20; round++) {
  const seed = seedOr(20_261_124) + round
  const isOld = round >= 12
  const stored = isOld ? ', some of them stored by an earlier version' : ''
  test(`calls know of what is below them, whatever the order${stored} (TRACELAKE_TEST_SEED=${seed})`, async () => {
    const random = new Random(seed)
    const restore = changeLimits({ replayedRowsMax: round % 2 === 0 ? storageLimits.replayedRowsMax : 3 })
    let bench = await StoreBench.open([isOld ? oldTable : callsTable])
    const isShuffled = random.chance(0.7)
    const nodes = randomForest(random, 60, isShuffled)
    const parts = nodes.flatMap((node): ['start' | 'end' | 'whole', Node][] =>
      random.chance(0.5)
        ? [['whole', node]]
        : [
            ['start', node],
            ['end', node],
          ],
    )
    if (isShuffled)
      for (let i = parts.length - 1; i > 0; i--) {
        const j = random.below(i + 1)
        ;[parts[i], parts[j]] = [parts[j]!, parts[i]!]
      }
    const started = new Set<string>()
    const ended = new Set<string>()
    let leftToOld = isOld ? random.below(parts.length) : 0
    const upgrade = async () => {
      leftToOld = 0
      const before = bench
      if (random.chance(0.5)) await before.store.flushAll()
      bench = await StoreBench.afterCrashOf(before, [callsTable])
      await before[Symbol.asyncDispose]()
    }
    while (parts.length > 0) {
      if (leftToOld > 0 && parts.length <= leftToOld) await upgrade()
      const batch = parts.splice(0, random.between(1, 12))
      const micros = bench.nowMs * 1000
      const rows = batch.map(([kind, node]) => {
        if (kind !== 'end') started.add(node.id)
        if (kind !== 'start') ended.add(node.id)
        return kind === 'start' ? startOf(node, micros) : kind === 'end' ? endOf(node, micros) : wholeOf(node, micros)
      })
      const isSplit = new Set(batch.map(([, { id }]) => id)).size < batch.length
      if (isSplit || leftToOld > 0 || random.chance(0.4)) await bench.store.write('calls', rows)
      else await bench.store.writeEncoded('calls', codec.encoded(encodeCalls(rows)))
      const choice = random.next()
      if (choice < 0.25) await bench.store.flush()
      else if (choice < 0.3) await bench.reopen()
      else if (choice < 0.35) {
        const before = bench
        bench = await StoreBench.afterCrashOf(before)
        await before[Symbol.asyncDispose]()
      } else if (choice < 0.4) bench.nowMs += 2 * 3_600_000
      if (leftToOld > 0 || random.chance(0.5)) continue
      if (isOld) await learned(bench)
      await compare(bench, nodes, started, ended)
    }
    if (leftToOld > 0) await upgrade()
    await learned(bench)
    await compare(bench, nodes, started, ended)
    await bench.reopen()
    await compare(bench, nodes, started, ended)
    await bench[Symbol.asyncDispose]()
    restore()
  }, 120_000)
}

test('calls that are each other’s parents are told of errors, and the telling ends', async () => {
  await using bench = await StoreBench.open([callsTable])
  const cycle = (id: string, parentId: string, exception: string | null): Node => ({
    id,
    traceId: 't',
    parentId,
    exception,
    usage: false,
  })
  const nodes = [
    cycle('a', 'c', null),
    cycle('b', 'a', null),
    cycle('c', 'b', null),
    cycle('d', 'a', 'Error: d'),
    cycle('e', 'b', 'Error: e'),
    cycle('self', 'self', 'Error: self'),
  ]
  for (const node of nodes) await bench.store.write('calls', [wholeOf(node, bench.nowMs * 1000)])
  const rows = await visibleRows(bench.store, callsTable)
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ['a', 'descendant_error'],
    ['b', 'descendant_error'],
    ['c', 'descendant_error'],
    ['d', 'error'],
    ['e', 'error'],
    ['self', 'error'],
  ])
})

test('a crash does not bring back what a call knew of a deleted one', async () => {
  const restore = changeLimits({ replayedRowsMax: 2 })
  await using bench = await StoreBench.open([callsTable], { isMaintained: false })
  const node = (id: string, parentId: string | null, exception: string | null = null): Node => ({
    ...{ id, traceId: 't', parentId, exception, usage: exception !== null },
  })
  const write = async (nodes: Node[]) => {
    bench.nowMs += 1
    await bench.store.write(
      'calls',
      nodes.map((each) => wholeOf(each, bench.nowMs * 1000)),
    )
  }
  // Two rows each are moved together when the log is replayed.
  await write([node('root', null), node('above', 'root')])
  await write([node('failed', 'above', 'Error: failed'), node('other', null)])
  await write([node('another', null), node('third', null)])
  bench.nowMs += 1
  const written = { [at.project_id]: 'p', [at.written_at]: bench.nowMs * 1000 }
  const forget = { ...written, [at.error_inside]: noErrorInside, [at.usage_below]: 0 }
  await bench.store.write('calls', [
    callsTable.tombstone('p', 'failed', bench.nowMs * 1000),
    Object.assign([...empty], { ...forget, [at.id]: 'above' }),
    Object.assign([...empty], { ...forget, [at.id]: 'root' }),
  ])
  const statuses = async ({ store }: StoreBench) =>
    (await visibleRows(store, callsTable)).map(({ id, status, usage_below }) => [id, status, usage_below ?? null])
  const before = await statuses(bench)
  await using after = await StoreBench.afterCrashOf(bench)
  restore()
  expect(await statuses(after)).toEqual(before)
  expect(before).toContainEqual(['root', 'success', 0])
}, 60_000)
