import { expect, setDefaultTimeout, test } from 'bun:test'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { SimulatedObjects, SimulatedStore, type StoreOperation } from '../lake/simulated-store.ts'
import { closedNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const hourMs = 3_600_000
const never = new Promise<void>(() => {})

/** A lake whose store has a clock, and a node that serves it. */
class Lake {
  readonly objects = new SimulatedObjects()
  private lookedMs = 0

  constructor() {
    this.objects.nowMs = 0
    this.renewLease()
  }

  /** @param held what an operation waits for before it happens */
  open(held: (operation: StoreOperation) => Promise<void> | undefined, isMaintained: boolean): Promise<StoreBench> {
    const store = new SimulatedStore(async (operation) => {
      await held(operation)
      if (operation.kind === 'list' && operation.prefix.endsWith('/_filters/')) this.lookedMs = performance.now()
      return this.objects.run(operation)
    })
    return StoreBench.open(undefined, { lake: { store, node: 'n' }, isMaintained })
  }

  /** A node that looks for files without a commit while its clock is advanced. */
  serve(held: (operation: StoreOperation) => Promise<void> | undefined = () => undefined): Promise<StoreBench> {
    return this.open(held, true)
  }

  /** Time passes for the store, which the node that serves shows by its lease. */
  pass(ms: number): void {
    this.objects.nowMs = (this.objects.nowMs ?? 0) + ms
    this.renewLease()
  }

  /** Lets the clock of a node go on, and waits until it has looked. */
  async looked(node: StoreBench): Promise<void> {
    const beganMs = performance.now()
    node.nowMs += 2 * hourMs
    await until(() => this.lookedMs > beganMs)
  }

  names(form: RegExp): string[] {
    return [...this.objects.objects.keys()].filter((name) => form.test(name))
  }

  /** Data files and indexes that were sent by now, and of which no commit knows. */
  get uncommitted(): string[] {
    const commits = this.names(/_delta_log\/\d+\.json$/).map((name) => this.objects.objects.get(name)?.bytes)
    const text = commits.map((bytes) => new TextDecoder().decode(bytes)).join('')
    const isNamed = (name: string) => text.includes(/part-[\w-]+/.exec(name)?.[0] ?? '')
    return this.names(/^tables\/notes\/(_filters\/)?part-/).filter((name) => !isNamed(name))
  }

  has(names: readonly string[]): boolean[] {
    return names.map((name) => this.objects.objects.has(name))
  }

  /** Whether a commit says that files without a commit are removed. */
  get isRemovalCommitted(): boolean {
    const texts = this.names(/_delta_log\/\d+\.json$/).map((name) => this.objects.objects.get(name)?.bytes)
    return texts.some((bytes) => new TextDecoder().decode(bytes).includes('REMOVE UNCOMMITTED'))
  }

  private renewLease(): void {
    this.objects.run({ kind: 'put', name: 'lease', bytes: new Uint8Array(1), when: undefined })
  }
}

const flush = (bench: StoreBench) => bench.store.flush({ retainIncomplete: false })
const isCommit = ({ kind, ...rest }: StoreOperation) =>
  kind === 'put' && 'name' in rest && /notes\/_delta_log\/\d+\.json$/.test(rest.name)
const isPart = ({ kind, ...rest }: StoreOperation) => kind === 'put' && 'name' in rest && /notes\/part-/.test(rest.name)

/** A row more in a file. */
async function flushRow(bench: StoreBench): Promise<void> {
  await bench.store.write('notes', [closedNote('b')])
  await flush(bench)
}

/** A node that has flushed a row, and is stopped at an operation of its work, or until then. */
async function stoppedAt(
  lake: Lake,
  isThere: (operation: StoreOperation) => boolean,
  { until = never, work = flushRow }: { until?: Promise<void>; work?: (bench: StoreBench) => Promise<void> } = {},
) {
  const reached = Promise.withResolvers<void>()
  let isArmed = false
  const node = await lake.open((operation) => {
    if (!isArmed || !isThere(operation)) return undefined
    reached.resolve()
    return until
  }, false)
  await node.store.write('notes', [closedNote('a')])
  await flush(node)
  if (work !== flushRow) await flushRow(node)
  isArmed = true
  const working = work(node)
  working.catch(() => {})
  await reached.promise
  return { working, sent: lake.uncommitted }
}

/** What a further node finds. */
async function rowsOf(lake: Lake): Promise<string[]> {
  await using node = await lake.open(() => undefined, false)
  return idsOf(await visibleRows(node.store))
}

test.each([
  ['the data file is sent', isPart, [true]],
  ['it is committed', isCommit, [true, true]],
] as const)('files of a node that was killed before %s are removed', async (_, isThere, there) => {
  const lake = new Lake()
  const { sent } = await stoppedAt(lake, isThere)
  expect(lake.has(sent)).toEqual([...there])
  await using next = await lake.serve()
  lake.pass(2 * hourMs)
  await lake.looked(next)
  await until(() => lake.isRemovalCommitted)
  // As all removed files, they stay a while.
  expect(lake.has(sent)).toEqual([...there])
  next.nowMs += 2 * storageLimits.replacedFilesKeptMs
  await until(() => !lake.has(sent).includes(true))
  expect(idsOf(await visibleRows(next.store))).toEqual(['a', 'b'])
  expect(await rowsOf(lake)).toEqual(['a', 'b'])
})

test('files that are young by the clock of the store stay, whatever the clock of the node says', async () => {
  const lake = new Lake()
  const { sent } = await stoppedAt(lake, isCommit)
  await using next = await lake.serve()
  lake.pass(hourMs - 1)
  for (let looks = 0; looks < 3; looks++) await lake.looked(next)
  expect([lake.isRemovalCommitted, ...lake.has(sent)]).toEqual([false, true, true])
  lake.pass(1)
  await lake.looked(next)
  await until(() => lake.isRemovalCommitted)
})

test.each([
  ['before they are gone', 0],
  ['once they are gone', 2 * storageLimits.replacedFilesKeptMs],
])('a node that was paused before its commit cannot commit removed files: %s', async (_, laterMs) => {
  const lake = new Lake()
  const resumed = Promise.withResolvers<void>()
  // A flush would also be given up since the next node has flushed the same rows.
  const work = (bench: StoreBench) => bench.store.compact()
  const { working, sent } = await stoppedAt(lake, isCommit, { until: resumed.promise, work })
  await using next = await lake.serve()
  lake.pass(2 * hourMs)
  await lake.looked(next)
  await until(() => lake.isRemovalCommitted)
  next.nowMs += laterMs
  if (laterMs > 0) await until(() => !lake.has(sent).includes(true))
  resumed.resolve()
  await expect(working).rejects.toThrow('removed as uncommitted')
  expect(await rowsOf(lake)).toEqual(['a', 'b'])
})

test('a file that is committed while its removal is about to be stays', async () => {
  const lake = new Lake()
  const resumed = Promise.withResolvers<void>()
  const { working, sent } = await stoppedAt(lake, isCommit, { until: resumed.promise })
  const reached = Promise.withResolvers<void>()
  await using next = await lake.serve((operation) => {
    const isRemoval = isCommit(operation) && 'bytes' in operation && textOf(operation).includes('REMOVE UNCOMMITTED')
    if (!isRemoval) return undefined
    reached.resolve()
    return working
  })
  lake.pass(2 * hourMs)
  await lake.looked(next)
  await reached.promise
  resumed.resolve()
  await working
  await lake.looked(next)
  expect([lake.isRemovalCommitted, ...lake.has(sent)]).toEqual([false, true, true])
  expect(await rowsOf(lake)).toEqual(['a', 'b'])
})

const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(bytes)
