import { answerTurn } from '../../src/demo/support-bot/answer.ts'
import { scheduleTurns } from '../../src/demo/support-bot/schedule.ts'
import { inBatches } from '../../src/demo/traces/call-items.ts'
import { inTimeOrder } from '../../src/demo/traces/timeline.ts'
import type { Client } from '../conformance/support/client.ts'

/** Sends the first traces of `tracelake demo` to a server. @throws Error if it refuses them */
export async function addDemoCalls(client: Client): Promise<void> {
  const story = { traces: 150, seed: 1, days: 7, untilMs: Date.UTC(2026, 0, 8) }
  const traces = scheduleTurns(story).map((turn, index) =>
    answerTurn(turn, { projectId: 'demo/support-bot', story, index }),
  )
  for (const { body } of inBatches(inTimeOrder(traces))) {
    const { status } = await client.postRaw('/call/upsert_batch', body, json)
    if (status !== 200) throw new Error(`The server refused calls of the demo with status ${status}`)
  }
}

const json = { headers: { 'content-type': 'application/json' } }
