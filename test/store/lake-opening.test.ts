import { expect, setDefaultTimeout, test } from 'bun:test'
import { SimulatedObjects, SimulatedStore } from '../lake/simulated-store.ts'
import { closedNote, notesTableNamed } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

const tables = ['notes', 'others', 'more'].map(notesTableNamed)

test('the tables of a lake are opened at the same time, and keep their rows apart', async () => {
  const objects = new SimulatedObjects()
  const fences = new Set<string>()
  const all = Promise.withResolvers<void>()
  // No fence is written before those of all tables are on their way.
  const store = new SimulatedStore(async (operation) => {
    if (operation.kind === 'put' && /^log\/\w+\/\d+$/.test(operation.name)) {
      fences.add(operation.name)
      if (fences.size === tables.length) all.resolve()
      await all.promise
    }
    return objects.run(operation)
  })
  const open = (node: string) => StoreBench.open(tables, { lake: { store, node }, isMaintained: false })
  await using first = await open('first')
  for (const { name } of tables) await first.store.write(name, [closedNote(`${name}-1`)])
  await first.store.flush({ retainIncomplete: false })
  for (const { name } of tables) await first.store.write(name, [closedNote(`${name}-2`)])
  await using second = await open('second')
  for (const table of tables)
    expect(idsOf(await visibleRows(second.store, table))).toEqual([`${table.name}-1`, `${table.name}-2`])
})
