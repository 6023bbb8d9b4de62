import { expect, test } from 'bun:test'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { freshFiles } from './fresh-files.ts'

test('files are flushed at the first call, and again when they are too old', async () => {
  let nowMs = 0
  let flushes = 0
  const flushAll = async () => {
    flushes++
    return []
  }
  const holdFiles = async () => new AsyncDisposableStack()
  const prepare = freshFiles({ flushAll }, { holdFiles }, () => nowMs)
  const freshen = () => prepare(['calls'], new AbortController().signal)
  for (let count = 0; count < 3; count++) await freshen()
  expect(flushes).toBe(1)
  nowMs += lakeLimits.sqlBehindMsMax
  for (let count = 0; count < 3; count++) await freshen()
  expect(flushes).toBe(2)
})

test('no request waits for a flush that does not end for longer than it may', async () => {
  const { sqlFetchMsMax } = lakeLimits
  Object.assign(lakeLimits, { sqlFetchMsMax: 10 })
  try {
    const flushAll = () => new Promise<never>(() => {})
    const prepare = freshFiles({ flushAll }, { holdFiles: async () => new AsyncDisposableStack() }, () => 0)
    await expect(prepare(['calls'], new AbortController().signal)).rejects.toMatchObject({ type: 'StoreUnavailable' })
    const left = new AbortController()
    left.abort(new Error('the client has left'))
    await expect(prepare(['calls'], left.signal)).rejects.toThrow('the client has left')
  } finally {
    Object.assign(lakeLimits, { sqlFetchMsMax })
  }
})

test('requests at the same time share a flush, and one that fails is repeated', async () => {
  const flushes: PromiseWithResolvers<never[]>[] = []
  const flushAll = () => {
    const flush = Promise.withResolvers<never[]>()
    flushes.push(flush)
    return flush.promise
  }
  const prepare = freshFiles({ flushAll }, { holdFiles: async () => new AsyncDisposableStack() }, () => 0)
  const freshen = () => prepare(['calls'], new AbortController().signal)
  const both = Promise.allSettled([freshen(), freshen()])
  flushes[0]?.reject(new Error('no'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = freshen()
  flushes[1]?.resolve([])
  await again
  expect(flushes).toHaveLength(2)
})
