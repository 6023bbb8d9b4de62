import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt, present } from '../../../lib/present.ts'
import type { Cell } from '../../../lib/table.ts'
import { justBefore } from '../../../lib/time.ts'
import { numberIn } from '../../../lib/typed-rows.ts'
import {
  type CallsPlan,
  matchingRows,
  planWithin,
  type Relations,
  startedAt,
  startedWithin,
} from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, any, type Expression, fieldValue } from '../../../query/expression.ts'
import { compilePlanned } from '../../../query/sql/statements.ts'
import { type Coverage, RecentCalls } from './recent-calls.ts'

/** Calls as read for a list of fields. */
interface Newest {
  /** Cells by column, in the order of the names. */
  readonly batches: readonly Cell[][][]
  readonly coverage: Coverage
  /** Large calls were left out. */
  readonly isCut: boolean
  /** Start of the oldest of these calls. */
  readonly oldest: number
}

/** How many calls are read at most, and about how many bytes of their payload. */
export interface CallsBounds {
  readonly calls: number
  readonly bytes: number
}

const payloadBytes = fieldValue(columnField('payload_bytes', 'integer'))
const isSmall: Expression = any([
  { kind: 'isNull', value: payloadBytes },
  {
    kind: 'compare',
    comparison: '<=',
    as: 'integer',
    left: payloadBytes,
    right: { kind: 'constant', constant: { type: 'integer', value: BigInt(explorationLimits.fieldsCallBytesMax) } },
  },
])
/** In a total order, the same calls are read as were measured. */
const newestFirst = [
  { field: startedAt, direction: 'desc' },
  { field: columnField('id'), direction: 'desc' },
] as const

/** Reads some columns of the newest calls of a plan. */
export async function newestCalls(
  snapshot: Snapshot,
  plan: CallsPlan,
  relations: Relations,
  columns: readonly { readonly name: string }[],
  bounds: CallsBounds,
): Promise<Newest> {
  const recent = new RecentCalls(snapshot, relations.calls, plan.projectId)
  const batches: Cell[][][] = []
  let isCut = false
  let oldest = Number.POSITIVE_INFINITY
  let left = bounds.calls
  let bytesLeft = bounds.bytes
  const coverage = await recent.read(async ({ window, relation }) => {
    const inWindow = matchingRows(planWithin(plan, window), { ...relations, calls: relation })
    const rows = { ...inWindow, sort: newestFirst, limit: left }
    // Their sizes decide how many can be read.
    const measured = await snapshot.rows(compilePlanned({ ...rows, columns: ['started_at', 'payload_bytes'] }))
    const found = measured.map(([start, bytes]) => ({
      start: present(numberIn(start), 'The start of a call'),
      bytes: present(numberIn(bytes), 'The size of a call'),
    }))
    let [read, small] = [0, 0]
    while (read < found.length && bytesLeft > 0) {
      const { bytes } = itemAt(found, read++)
      if (bytes > explorationLimits.fieldsCallBytesMax) isCut = true
      else {
        bytesLeft -= bytes
        small++
      }
    }
    left -= found.length
    oldest = found[read - 1]?.start ?? oldest
    if (small > 0) {
      const last = startedWithin({ after: justBefore(itemAt(found, read - 1).start), through: window.through })
      const those = { ...rows, where: all([plan.where, last, isSmall]), limit: small }
      // The id is there for requests that need no column at all.
      const sql = compilePlanned({ ...those, columns: [...columns.map(({ name }) => name), 'id'] })
      await snapshot.forEachChunk(sql, (cells) => batches.push(cells))
    }
    return { found: bounds.calls - left, wanted: bytesLeft > 0 ? left : 0 }
  })
  return { batches, coverage, isCut, oldest }
}
