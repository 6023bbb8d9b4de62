import { expect, setDefaultTimeout, test } from 'bun:test'
import { decodeLogObject } from '../../src/engine/lake/log-object.ts'
import { memoryStoreOf, SimulatedObjects } from '../lake/simulated-store.ts'
import { closedNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { until } from './until.ts'
import { visibleRows } from './visible-rows.ts'

setDefaultTimeout(120_000)

test('no object that had rows of an erased project stays once the next node has run', async () => {
  const objects = new SimulatedObjects()
  const store = memoryStoreOf(objects)
  const open = () => StoreBench.open(undefined, { lake: { store, node: 'n' }, isMaintained: false })
  const holding = () =>
    [...objects.objects.keys()].filter((name) => /\.parquet$|\.index$|1\.arrows$|^log\/notes\//.test(name))
  let before: string[]
  {
    await using node = await open()
    await node.store.write('notes', [closedNote('a', { project: 'gone' }), closedNote('b')])
    await node.store.flush({ retainIncomplete: false })
    await node.store.write('notes', [closedNote('c', { project: 'gone' })])
    // As a repair leaves them, and a copy of a folder.
    const text = (content: string) => new TextEncoder().encode(content)
    await store.put('tables/notes/_quarantine/part-1.parquet', text('compressed'))
    await store.put('tables/notes/_quarantine/0000000001.arrows', text('rows of gone'))
    await store.put('tables/notes/_quarantine/0000000002.arrows', text('rows of p'))
    before = holding()
    // As the command does.
    await node.store.erasure.hide('gone')
    await node.store.erasure.eraseProject('notes', 'gone')
    await node.store.flush({ retainIncomplete: false })
  }
  await using next = await open()
  await next.removeReplaced()
  expect(await visibleRows(next.store)).toHaveLength(1)
  const isFence = (name: string) => {
    const object = objects.objects.get(name)
    return name.startsWith('log/') && object !== undefined && decodeLogObject(name, object.bytes).kind === 'fence'
  }
  expect(before.filter((name) => !isFence(name)).length).toBeGreaterThanOrEqual(3)
  // Readers do not wait until the store has removed them.
  await until(() => !holding().some((name) => before.includes(name) && !isFence(name)))
  expect([...objects.objects.keys()].filter((name) => name.includes('/_quarantine/'))).toHaveLength(1)
})
