import type { Dialect } from '../../dialect/dialect.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { Cell } from '../../kernel/table.ts'
import { formatTime, justBefore } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import type { CallFields, CallFieldsRequest } from '../../model/exploration.ts'
import { TimeSlice } from '../../platform/event-loop.ts'
import type { CallsPlan, Relations } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { compilePlanned } from '../../query/compile.ts'
import { all, any, type Expression, fieldValue } from '../../query/expression.ts'
import { planPricedRows, tablesOf } from '../../records/calls/plan.ts'
import { pricedRelations } from '../../records/calls/priced-relations.ts'
import type { Costs } from '../../records/costs/costs.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { clientColumns } from '../../tables/define-table.ts'
import { parseExactly } from '../../wire/exact-json.ts'
import { FieldCount } from './field-count.ts'
import { type Coverage, RecentCalls } from './recent-calls.ts'

/** Columns that are fields, by their path. */
const fieldColumns = clientColumns(callsTable)
  .filter(({ exposed, type }) => exposed !== 'query' && type !== 'texts')
  .map(({ name, type, exposed }) => ({ path: exposed === 'summary' ? `summary.ext.${name}` : name, name, type }))

/** Finds out which fields calls have, from the newest ones. */
export class FieldFinder {
  private readonly store: Store
  private readonly costs: Costs
  private readonly pathOf: (path: string) => string

  constructor({ store, costs, dialect }: { store: Store; costs: Costs; dialect: Dialect }) {
    this.store = store
    this.costs = costs
    this.pathOf = dialect.pathOf
  }

  async find(reader: ProjectReader, question: CallFieldsRequest, signal: AbortSignal): Promise<CallFields> {
    const plan = planPricedRows(reader, { filter: question.filter, query: question.query })
    const prefix = (question.prefix ?? '').toLowerCase()
    const columns = fieldColumns.filter(({ path }) => {
      const shown = this.pathOf(path).toLowerCase()
      return shown.startsWith(prefix) || prefix.startsWith(`${shown}.`)
    })
    const names = columns.map(({ name }) => name)
    const { batches, coverage, isCut } = await this.store.read(
      tablesOf(plan),
      { projectId: plan.projectId, signal },
      async (snapshot) => newestCalls(snapshot, plan, await pricedRelations(this.costs, snapshot, plan, reader), names),
    )
    const count = new FieldCount()
    const slice = new TimeSlice()
    let callsRead = 0
    for (const cells of batches) {
      const rows = cells[0]?.length ?? 0
      callsRead += rows
      for (const [at, { path, type }] of columns.entries()) {
        for (const cell of cells[at]!) {
          if (cell === null || cell === '') continue
          count.add(path, valueIn(cell, type))
          if (slice.expired) await slice.yield()
        }
      }
    }
    const fields = [...count.counted()]
      .map(({ path, calls, types, examples }) => ({
        path: this.pathOf(path),
        types: [...types],
        share: callsRead === 0 ? 0 : calls / callsRead,
        examples: [...examples],
      }))
      .filter(({ path }) => path.toLowerCase().startsWith(prefix))
    const listed = fields
      .toSorted((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1))
      .slice(0, question.limit ?? limits.fieldsListedDefault)
    const isSample = !coverage.isComplete || isCut || count.hasLeftOut
    return { fields: listed, calls_read: callsRead, is_sample: isSample, is_partial: coverage.isOutOfTime }
  }
}

interface Newest {
  /** Cells by column, in the order of the names. */
  readonly batches: readonly Cell[][][]
  readonly coverage: Coverage
  /** Large calls were left out. */
  readonly isCut: boolean
}

const startedAt = columnField('started_at', 'time')
const payloadBytes = fieldValue(columnField('payload_bytes', 'integer'))
const isSmall: Expression = any([
  { kind: 'isNull', value: payloadBytes },
  {
    kind: 'compare',
    comparison: '<=',
    as: 'integer',
    left: payloadBytes,
    right: { kind: 'constant', constant: { type: 'integer', value: BigInt(limits.fieldsCallBytesMax) } },
  },
])
/** In a total order, the same calls are read as were measured. */
const newestFirst = [
  { field: startedAt, direction: 'desc' },
  { field: columnField('id'), direction: 'desc' },
] as const

async function newestCalls(
  snapshot: Snapshot,
  plan: CallsPlan,
  relations: Relations,
  names: readonly string[],
): Promise<Newest> {
  const { projectId } = plan
  const { calls, feedback, queues, usage } = relations
  const recent = new RecentCalls(snapshot, calls, projectId)
  const batches: Cell[][][] = []
  let isCut = false
  let left: number = limits.fieldsCallsMax
  let bytesLeft: number = limits.fieldsBytes
  const coverage = await recent.read(async ({ window, relation }) => {
    const within = { kind: 'within', field: startedAt, ...window } as const
    const where = all([plan.where, within])
    const rows = { relation, projectId, feedback, queues, usage, where, sort: newestFirst, limit: left }
    // Their sizes decide how many can be read.
    const found = (await snapshot.rows(compilePlanned({ ...rows, columns: ['started_at', 'payload_bytes'] }))) as [
      number,
      number,
    ][]
    let [read, small] = [0, 0]
    while (read < found.length && bytesLeft > 0) {
      const [, bytes] = found[read++]!
      if (bytes > limits.fieldsCallBytesMax) isCut = true
      else {
        bytesLeft -= bytes
        small++
      }
    }
    left -= found.length
    if (small > 0) {
      const last = {
        kind: 'within',
        field: startedAt,
        after: justBefore(found[read - 1]![0]),
        through: window.through,
      } as const
      const those = { ...rows, where: all([plan.where, last, isSmall]), limit: small }
      // The id is there for requests that need no column at all.
      const sql = compilePlanned({ ...those, columns: [...names, 'id'] })
      await snapshot.forEachChunk(sql, (cells) => batches.push(cells))
    }
    return { found: limits.fieldsCallsMax - left, wanted: bytesLeft > 0 ? left : 0 }
  })
  return { batches, coverage, isCut }
}

function valueIn(cell: Cell, type: (typeof fieldColumns)[number]['type']): unknown {
  if (type === 'json') return parseExactly(cell as string)
  return type === 'time' ? formatTime(cell as number) : cell
}
