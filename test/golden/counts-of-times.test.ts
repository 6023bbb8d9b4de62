import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { loadConfig } from '../../src/runtime/config.ts'
import { createApp } from '../../src/server/app.ts'
import { openContext } from '../../src/server/context.ts'
import { basic } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOf } from './random.ts'

const key = 'fuzz-admin-key-0123456789-0123456789'
const startMs = Date.UTC(2024, 4, 1)

test('counts of a time are those of the calls, whatever is in files, in memory, changed or deleted', async () => {
  const folder = await makeTempFolder()
  const variables: Record<string, string> = { TRACELAKE_ADMIN_KEY: key, TRACELAKE_LOG_LEVEL: 'error' }
  const context = await openContext(
    loadConfig({ data: folder }, (name) => variables[name]),
    pino({ level: 'error' }),
  )
  try {
    const app = createApp(context)
    const headers = { authorization: basic('api', key), 'content-type': 'application/json' }
    const post = async (path: string, body: object) => {
      const request = new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body), headers })
      const answer = await app.fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
      const text = await answer.text()
      expect(`${answer.status} ${text}`).toStartWith('200')
      return JSON.parse(text)
    }
    const random = new Random(seedOf('counts of times'))
    const calls = new Map<string, { readonly project: string; readonly ms: number }>()
    for (let round = 0; round < 16; round++) {
      const project = random.pick(['a/one', 'a/one', 'a/one', 'a/two'])
      const isMixed = random.below(10) < 2
      const batch = Array.from({ length: 1 + random.below(30) }, (_, at) => {
        const id = `call-${round}-${at}`
        // Some hours twice, so that files overlap.
        const ms = startMs + (round - random.below(2)) * 3_600_000 + random.below(3_600_000)
        const project_id = isMixed ? random.pick(['a/one', 'a/two']) : project
        calls.set(id, { project: project_id, ms })
        const started_at = new Date(ms).toISOString()
        const ended_at = new Date(ms + 5).toISOString()
        const start = { project_id, id, trace_id: id, op_name: 'op', started_at, attributes: {}, inputs: {} }
        return [
          { mode: 'start', req: { start } },
          { mode: 'end', req: { end: { project_id, id, ended_at, summary: {} } } },
        ]
      })
      await post('/call/upsert_batch', { batch: batch.flat() })
      if (random.below(10) < 7) await context.store.flush({ retainIncomplete: false })
      const some = [...calls.keys()].filter((id) => calls.get(id)?.project === project)
      const change = some.length === 0 ? 'none' : random.pick(['delete', 'rename', 'none', 'none'])
      if (change !== 'none') {
        const id = random.pick(some)
        if (change === 'delete') {
          await post('/calls/delete', { project_id: project, call_ids: [id] })
          calls.delete(id)
        } else await post('/call/update', { project_id: project, call_id: id, display_name: 'n' })
      }
      for (let question = 0; question < 6; question++) {
        const [from, to] = [random.below(18 * 60), random.below(18 * 60)].map((minute) => startMs + minute * 60_000)
        const field = { $getField: 'started_at' }
        const query = {
          $expr: { $and: [{ $gte: [field, { $literal: from! / 1000 }] }, { $lt: [field, { $literal: to! / 1000 }] }] },
        }
        for (const project_id of ['a/one', 'a/two']) {
          const expected = [...calls.values()].filter(
            (call) => call.project === project_id && call.ms >= from! && call.ms < to!,
          )
          expect((await post('/calls/query_stats', { project_id, query })).count).toBe(expected.length)
        }
      }
    }
  } finally {
    await context.close()
    await removeFolder(folder)
  }
})
