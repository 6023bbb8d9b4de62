import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { Dialect } from '../../../formats/dialect/dialect.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { planWithin } from '../../../query/calls-plan.ts'
import { isAlways } from '../../../query/expression.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs } from '../../costs/index.ts'
import { pricedRelations } from '../add-costs.ts'
import type { CallFields, CallFieldsRequest } from '../model/exploration.ts'
import { callsRelation, planPricedRows, tablesOf } from '../plan.ts'
import { type CountedField, countFields, escapedSegment, FieldCount, fieldColumns } from './field-count.ts'
import { FieldsOfFiles } from './fields-of-files.ts'
import { newestCalls } from './newest-calls.ts'

/** A field that calls in data files have, and the share of these calls. */
interface OlderFields {
  readonly count: FieldCount
  readonly calls: number
}

/**
 * Further fields that calls of the project had before the newest ones, as far as data files have
 * columns for them and state their values.
 */
async function olderFields(snapshot: Snapshot, isKnown: (path: string) => boolean): Promise<OlderFields> {
  const pathOf = (path: string): string | undefined => {
    const known = clientPath(path)
    return known === undefined || known.length > explorationLimits.fieldPathCharsMax || isKnown(known)
      ? undefined
      : known
  }
  const isWanted = (path: string) => pathOf(path) !== undefined
  const { counts, rows } = await snapshot.statedPaths(callsTable.name, isWanted)
  const count = new FieldCount()
  for (const [stated, byValue] of counts) {
    const path = pathOf(stated)!
    const values = [...byValue].filter((entry): entry is [string, number] => entry[0] !== null)
    // The most frequent ones are the examples.
    for (const [text, calls] of values.toSorted(([, m], [, n]) => n - m)) count.add(path, parseExactly(text), calls)
  }
  return { count, calls: rows }
}

/** The path of a field as clients write it; undefined if they do not see the column. */
function clientPath(path: string): string | undefined {
  const [column, ...pointer] = path.split('/')
  const [name] = column!.split('.')
  if (!fieldColumns.some((known) => known.path === name)) return undefined
  const segments = pointer.map((segment) => escapedSegment(segment.replaceAll('~1', '/').replaceAll('~0', '~')))
  return [column, ...segments].join('.')
}

const atMost = { calls: explorationLimits.fieldsCallsMax, bytes: explorationLimits.fieldsBytes }
/** Of the calls that are read beside the known fields of data files. */
const beside = { calls: explorationLimits.fieldsCallsBeside, bytes: explorationLimits.fieldsBytesBeside }

/** Finds out which fields calls have, from the newest ones. */
export class FieldFinder {
  private readonly store: Store
  private readonly costs: Costs
  private readonly pathOf: (path: string) => string
  private readonly files = new FieldsOfFiles()

  constructor({ store, costs, dialect }: { store: Store; costs: Costs; dialect: Dialect }) {
    this.store = store
    this.costs = costs
    this.pathOf = dialect.pathOf
  }

  async find(reader: ProjectReader, request: CallFieldsRequest, signal: AbortSignal): Promise<CallFields> {
    const plan = planPricedRows(reader, { filter: request.filter, query: request.query })
    const prefix = (request.prefix ?? '').toLowerCase()
    const columns = fieldColumns.filter(({ path }) => {
      const shown = this.pathOf(path).toLowerCase()
      return shown.startsWith(prefix) || prefix.startsWith(`${shown}.`)
    })
    const { known, newest, older } = await this.store.read(
      tablesOf(plan),
      { projectId: plan.projectId, signal },
      async (snapshot) => {
        const relations = await pricedRelations(this.costs, snapshot, plan, reader)
        const known = isOfAllCalls(request) ? await this.files.newest(snapshot, plan, relations) : undefined
        if (known === undefined) return { newest: await newestCalls(snapshot, plan, relations, columns, atMost) }
        // Fields of calls that came since.
        const since = planWithin(plan, { after: known.oldest, through: undefined })
        const calls = await callsRelation(snapshot, plan, since.where, [], known.fileNames)
        const newest = await newestCalls(snapshot, since, { ...relations, calls }, columns, beside)
        const older = isAlways(plan.where) ? await olderFields(snapshot, (path) => known.paths.has(path)) : undefined
        return { known, newest, older }
      },
    )
    const { coverage, isCut } = newest
    const count = new FieldCount()
    let callsRead = await countFields(count, columns, newest.batches)
    for (const { calls, fields } of known?.files ?? []) {
      callsRead += calls
      for (const field of fields) count.addCounted(field)
    }
    const sharedBy = (calls: number) => (field: CountedField) => ({
      path: this.pathOf(field.path),
      types: [...field.types],
      share: calls === 0 ? 0 : Math.min(1, field.calls / calls),
      examples: [...field.examples],
    })
    const further = [...(older?.count.counted() ?? [])].filter(({ path }) => !count.has(path))
    const fields = [
      ...[...count.counted()].map(sharedBy(callsRead)),
      ...further.map(sharedBy(older?.calls ?? 0)),
    ].filter(({ path }) => path.toLowerCase().startsWith(prefix))
    const listed = fields
      .toSorted((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1))
      .slice(0, request.limit ?? explorationLimits.fieldsListedDefault)
    const isSample = known !== undefined || !coverage.isComplete || isCut || count.hasLeftOut
    return { fields: listed, calls_read: callsRead, is_sample: isSample, is_partial: coverage.isOutOfTime }
  }
}

/** Whether a request covers all calls, or all roots: then any data file has enough of them. */
function isOfAllCalls({ filter, query }: CallFieldsRequest): boolean {
  const named = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return (query ?? undefined) === undefined && named.every(([member]) => member === 'trace_roots_only')
}
