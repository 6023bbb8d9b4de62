import { afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { openFuzzApp } from '../../../../test/fuzz/fuzz-app.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'

/*
 * Searches through calls answer within a bounded time with what they have read by then. Here the
 * clock that bounds them jumps, so that the time is over after the first calls.
 */

const app = await openFuzzApp()
const project_id = 'acme/many'
const stored = 12_000
const batchCalls = 2_000

const spies: { mockRestore: () => void }[] = []
const restoreClock = () => {
  for (const spy of spies.splice(0)) spy.mockRestore()
}
afterEach(restoreClock)

/** A clock that jumps with each look at it, or stands still. */
function jumpingClock(stepMs: number = explorationLimits.explorationMs): void {
  restoreClock()
  let nowMs = performance.now()
  spies.push(
    spyOn(performance, 'now').mockImplementation(() => {
      nowMs += stepMs
      return nowMs
    }),
  )
}

beforeAll(async () => {
  for (let from = 0; from < stored; from += batchCalls) {
    const batch = Array.from({ length: batchCalls }, (_, index) => {
      const at = new Date(Date.UTC(2024, 4, 1) + (from + index) * 1_000).toISOString()
      return {
        project_id,
        id: `c${from + index}`,
        trace_id: `t${from + index}`,
        op_name: 'op',
        started_at: at,
        ended_at: at,
        attributes: {},
        inputs: { n: (from + index) % 7, text: 'luggage' },
        output: null,
        summary: {},
      }
    })
    await app.post(`/v2/${project_id}/calls/complete`, { batch })
  }
})

interface Partial {
  readonly calls_read: number
  readonly is_sample: boolean
  readonly is_partial: boolean
}

test('values of a field are those of the newest calls, and the answer says so', async () => {
  const ask = () =>
    app.post<Partial & { values: { count: number }[] }>('/calls/values', { project_id, path: 'inputs.n' })
  jumpingClock(0)
  expect(await ask()).toMatchObject({ calls_read: stored, is_sample: false, is_partial: false })
  jumpingClock()
  const partial = await ask()
  expect(partial).toMatchObject({ is_sample: true, is_partial: true })
  expect(partial.calls_read).toBeGreaterThan(0)
  expect(partial.calls_read).toBeLessThan(stored)
  expect(partial.values.reduce((sum, { count }) => sum + count, 0)).toBe(partial.calls_read)
})

test('fields are those of the newest calls, and the answer says so', async () => {
  const query = { $expr: { $eq: [{ $getField: 'inputs.n' }, { $literal: 3 }] } }
  const ask = () => app.post<Partial & { fields: { path: string }[] }>('/calls/fields', { project_id, query })
  jumpingClock(0)
  expect(await ask()).toMatchObject({ is_sample: false, is_partial: false })
  jumpingClock()
  const partial = await ask()
  expect(partial).toMatchObject({ is_sample: true, is_partial: true })
  expect(partial.fields.map(({ path }) => path)).toContain('inputs.n')
})

test('a search for a text can be continued where its time was over', async () => {
  const ask = (more: object) =>
    app.post<{ matches: { id: string }[]; after: unknown; is_partial: boolean }>('/calls/search', {
      project_id,
      text: 'nowhere',
      ...more,
    })
  jumpingClock(0)
  expect(await ask({})).toMatchObject({ matches: [], after: null, is_partial: false })
  jumpingClock()
  const partial = await ask({})
  expect(partial).toMatchObject({ matches: [], is_partial: true })
  jumpingClock(0)
  expect(await ask({ after: partial.after })).toMatchObject({ matches: [], after: null, is_partial: false })
})
