import { limits } from '../../lib/limits.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { UsageByModel } from './own-usage.ts'

/**
 * The JSON text of `CallUsage` in pieces. Yields to other requests: a response may contain hundreds
 * of thousands of calls.
 */
export async function* usageTexts(
  usage: ReadonlyMap<string, UsageByModel>,
  unfinishedIds: readonly string[],
): AsyncGenerator<string[]> {
  const slice = new TimeSlice()
  let piece = ['{"call_usage":{']
  let separator = ''
  let chars = 0
  for (const [id, byModel] of usage) {
    const text = `${separator}${JSON.stringify(id)}:${JSON.stringify(Object.fromEntries(byModel))}`
    piece.push(text)
    chars += text.length
    separator = ','
    if (slice.expired) await slice.yield()
    if (chars < limits.streamChunkBytes) continue
    yield piece
    piece = []
    chars = 0
  }
  yield [...piece, `},"unfinished_call_ids":${JSON.stringify(unfinishedIds)}}`]
}
