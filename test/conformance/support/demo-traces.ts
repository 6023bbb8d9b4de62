import { answerTurn } from '../../../src/demo/support-bot/answer.ts'
import { scheduleTurns } from '../../../src/demo/support-bot/schedule.ts'
import { inBatches, type Trace } from '../../../src/demo/traces/call-items.ts'
import { inTimeOrder } from '../../../src/demo/traces/timeline.ts'
import type { Project } from './project.ts'

/** The traces of `tracelake demo`: 500, of which 77 have failed. @param nowMs when they end */
export function demoTraces(projectId: string, nowMs: number): Trace[] {
  const story = { traces: 500, seed: 1, days: 7, untilMs: nowMs }
  return scheduleTurns(story).map((turn, index) => answerTurn(turn, { projectId, story, index }))
}

/** Sends traces as an SDK does: starts and ends in the order of their times. */
export async function sendAsSdk({ client }: Project, traces: readonly Trace[]): Promise<void> {
  for (const { body } of inBatches(inTimeOrder(traces))) {
    const { status, text } = await client.postRaw('/call/upsert_batch', body)
    if (status !== 200) throw new Error(`Send traces: ${status} ${text}`)
  }
}
