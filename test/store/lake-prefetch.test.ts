import { expect, setDefaultTimeout, test } from 'bun:test'
import { SimulatedObjects, SimulatedStore } from '../lake/simulated-store.ts'
import { closedNote, notesTable, notesTableNamed } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'

setDefaultTimeout(120_000)

test('fetching ahead goes on after a file that the table has replaced meanwhile', async () => {
  const objects = new SimulatedObjects()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let [isArmed, isStalled] = [false, false]
  const asked = new Set<string>()
  const store = new SimulatedStore(async (operation) => {
    if (isArmed && operation.kind === 'get') {
      asked.add(operation.name)
      if (!isStalled && operation.name.startsWith('tables/notes/part-')) {
        isStalled = true
        await released
      }
    }
    return objects.run(operation)
  })
  const others = notesTableNamed('others')
  const open = () =>
    StoreBench.open([notesTable, others], { lake: { store, node: 'n' }, isMaintained: false, queryTimeoutMs: 60_000 })
  {
    await using bench = await open()
    for (const [table, id] of [
      ['notes', 'a'],
      ['notes', 'b'],
      ['others', 'c'],
    ] as const) {
      await bench.store.write(table, [closedNote(id)])
      await bench.store.flush({ retainIncomplete: false })
    }
  }
  await using bench = await open()
  const { prefetch } = bench.store.lake!
  isArmed = true
  prefetch.start()
  await until(async () => isStalled)
  await bench.store.compact()
  await bench.removeReplaced()
  release()
  await until(() => prefetch.isDone)
  expect([...asked].filter((name) => /^tables\/others\/_filters\/part-/.test(name))).toHaveLength(1)
  expect(bench.log.map(({ msg }) => msg)).not.toContain('stopped fetching ahead')
})
