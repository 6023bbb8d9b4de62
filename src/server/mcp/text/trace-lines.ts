import type { Static } from '@sinclair/typebox'
import type { TraceSkeleton } from '../../../formats/schemas/traces.ts'
import { itemAt } from '../../../lib/present.ts'
import { tokensText } from './call-text.ts'
import { costText, durationText, oneLine } from './number-text.ts'

const nameCharsMax = 80

/** The calls of a trace, a line each, indented by their level. */
export function skeletonLines(trace: Static<typeof TraceSkeleton>): string[] {
  const { call_ids, depth, name, op, ops, status, statuses, duration_ms, tokens_in, tokens_out } = trace
  const top = depth.reduce((least, level) => Math.min(least, level), Number.POSITIVE_INFINITY)
  return call_ids.map((id, at) => {
    const state = statuses[itemAt(status, at)]
    const model = trace.models[itemAt(trace.model, at)]
    const hidden = hiddenChildren(trace, at)
    return [
      '  '.repeat(itemAt(depth, at) - top) + oneLine(name[at] ?? ops[itemAt(op, at)] ?? '', nameCharsMax),
      ...(model === undefined ? [] : [model]),
      duration_ms[at] == null ? 'running' : durationText(duration_ms[at]),
      ...(tokens_in[at] == null ? [] : [tokensText(tokens_in[at], tokens_out[at] ?? 0)]),
      ...(trace.cost[at] == null ? [] : [costText(trace.cost[at])]),
      ...(state === 'error' ? ['ERROR'] : []),
      ...(trace.feedback_count[at] ? [`${trace.feedback_count[at]} feedback`] : []),
      ...(hidden > 0 ? [`(${hidden} below not shown)`] : []),
      id,
    ].join('  ')
  })
}

/** Children that the answer leaves out. */
function hiddenChildren({ child_count, parent }: Static<typeof TraceSkeleton>, at: number): number {
  if (child_count[at] === 0) return 0
  let shown = 0
  for (const above of parent) if (above === at) shown++
  return itemAt(child_count, at) - shown
}
