import { collectParts } from '../../src/domains/calls/collect-calls.ts'
import type { CallBatchItem } from '../../src/formats/schemas/calls.ts'
import type { Row } from '../../src/lib/table.ts'
import type { Random } from './random.ts'

export type BatchItem = CallBatchItem

/** Starts and ends of calls of every kind; some calls never become complete. */
export function batchOf(project: string, nowMs: number, random: Random): BatchItem[] {
  return Array.from({ length: 300 }, (_, index): BatchItem[] => {
    const start = {
      project_id: project,
      id: `call-${index}`,
      trace_id: `trace-${index >> 2}`,
      op_name: random.chance(0.2) ? 'weave:///e/p/op/Evaluation.predict_and_score:v1' : 'grüße',
      started_at: new Date(nowMs + index).toISOString(),
      attributes: { index, text: '\u{1f600}'.repeat(random.below(40)) },
      inputs: { example: { index }, ref: `weave:///e/p/object/o:${'a'.repeat(random.below(20))}` },
      ...(random.chance(0.3) && { parent_id: `call-${index - 1}`, display_name: `shown ${index}` }),
    }
    const end = {
      project_id: project,
      id: start.id,
      ended_at: new Date(nowMs + index + 7).toISOString(),
      output: random.chance(0.5) ? { text: 'y'.repeat(random.below(200_000)) } : null,
      summary: random.chance(0.5) ? { usage: { model: { prompt_tokens: index, completion_tokens: 2 } } } : {},
      ...(random.chance(0.1) && { exception: 'it failed' }),
    }
    const items: BatchItem[] = [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
    if (random.chance(0.8)) return items
    return [items[random.below(2)]!]
  }).flat()
}

/** The same as rows, as the main thread makes them. */
export async function rowsOf(items: readonly BatchItem[], nowMs: number): Promise<readonly Row[]> {
  const { rows } = await collectParts(items, () => ({ redact: true, userId: 'key', nowMs, contents: undefined }))
  return rows
}
