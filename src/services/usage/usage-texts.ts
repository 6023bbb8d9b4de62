import { Turn } from '../../platform/yield.ts'
import type { UsageByModel } from './own-usage.ts'

/** Calls whose usage is written down at a time. */
const batchSize = 256

/** The JSON text of `CallUsage`, in pieces. Others have their turns in between: an answer may hold some hundred thousand calls. */
export async function* usageTexts(
  usage: ReadonlyMap<string, UsageByModel>,
  unfinishedIds: readonly string[],
): AsyncGenerator<string[]> {
  const turn = new Turn()
  let piece = ['{"call_usage":{']
  let separator = ''
  for (const [id, byModel] of usage) {
    piece.push(`${separator}${JSON.stringify(id)}:${JSON.stringify(Object.fromEntries(byModel))}`)
    separator = ','
    if (turn.isOver) await turn.next()
    if (piece.length < batchSize) continue
    yield piece
    piece = []
  }
  yield [...piece, `},"unfinished_call_ids":${JSON.stringify(unfinishedIds)}}`]
}
