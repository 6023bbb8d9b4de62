import { expect, test } from 'bun:test'
import { RestWatch } from './rest-watch.ts'

const watchFrom = (usedSeconds: number) =>
  new RestWatch({ everyMs: 10_000, restSecondsMax: 0.2, workSecondsMin: 1 }, usedSeconds)

test('a process that has worked comes to rest once', () => {
  const watch = watchFrom(0.5)
  expect([3, 7, 7.1, 7.2, 7.3].map((used) => watch.hasComeToRest(used))).toEqual([false, false, true, false, false])
})

test('a little work is not worth a collection, but adds up', () => {
  const watch = watchFrom(0)
  expect(watch.hasComeToRest(0.1)).toBe(false)
  expect([0.3, 0.5, 0.7, 0.9, 1, 1.1].map((used) => watch.hasComeToRest(used))).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
  ])
})

test('a process that works on is never at rest', () => {
  const watch = watchFrom(0)
  for (let used = 1; used < 20; used++) expect(watch.hasComeToRest(used)).toBe(false)
})
