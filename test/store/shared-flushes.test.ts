import { expect, test } from 'bun:test'
import { closedNote } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'
import { idsOf, visibleRows } from './visible-rows.ts'

const callers = 20

test('callers who come during a flush share the next one, however much is written meanwhile', async () => {
  await using bench = await StoreBench.open()
  const { store } = bench
  const ids = ['before', 'during']
  await store.write('notes', [closedNote('before')])
  const running = store.flush()
  await store.write('notes', [closedNote('during')])
  let isOver = false
  const writing = (async () => {
    for (let at = 0; !isOver; at++) {
      ids.push(`at-${at}`)
      await store.write('notes', [closedNote(`at-${at}`)])
    }
  })()
  const answers = await Promise.all(Array.from({ length: callers }, () => store.flushAll()))
  isOver = true
  await Promise.all([running, writing])
  for (const [flushed] of answers) expect(flushed?.rows).toBeGreaterThanOrEqual(2)
  expect(bench.log.filter(({ msg }) => msg === 'flushed').length).toBeLessThanOrEqual(3)
  expect(idsOf(await visibleRows(store))).toEqual(ids.toSorted())
})
