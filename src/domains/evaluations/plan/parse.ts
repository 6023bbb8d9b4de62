import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { present } from '../../../lib/present.ts'
import { type Catalog, didYouMean, type Field, type JsonField, resolveField } from '../../../query/catalog.ts'
import { rewrite } from '../../../query/rewrite/rewrite.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import { parsePage, readQuery } from '../../../query/table-plan.ts'
import { mapValues } from '../../../query/walk.ts'
import type { EvalResultsFilter, EvalResultsRequest, EvalResultsSortBy } from '../model/eval-results.ts'
import type { RowFilter, RowSort, RowsPlan, TrialValue } from './plan.ts'

const catalog: Catalog = tableCatalog({
  columns: [
    { name: 'row_digest', type: 'text' },
    { name: 'scores', type: 'json' },
    { name: 'inputs', type: 'json' },
    { name: 'outputs', type: 'json' },
    { name: 'output', type: 'json' },
  ],
})

/**
 * Parses the sorts, filters and page of a request.
 *
 * @throws DomainError InvalidField, InvalidRequest; ValidationError
 */
export function parseRows(request: EvalResultsRequest): RowsPlan {
  const values = new ValueList()
  const { sort_by, filters } = request
  const counts = [
    ['sort_by', sort_by?.length ?? 0],
    ['filters', filters?.length ?? 0],
  ] as const
  for (const [member, count] of counts) {
    if (count <= operationLimits.sortKeysMax) continue
    throw new DomainError(
      'InvalidRequest',
      `Invalid ${member}: ${count} entries, at most ${operationLimits.sortKeysMax} are allowed`,
    )
  }
  return {
    filters: (filters ?? []).flatMap((filter, index) => values.filter(filter, index)),
    needsAll: request.filter_logic_operator === 'and',
    sort: (sort_by ?? []).map((key) => values.sort(key)),
    values: values.list,
    requireIntersection: request.require_intersection === true,
    ...parsePage(request),
  }
}

/** The values that a request reads, each once. */
class ValueList {
  readonly list: TrialValue[] = []

  filter({ evaluation_call_id, query }: EvalResultsFilter, index: number): RowFilter[] {
    if (query === null || query === undefined) return []
    const where = readQuery(query, catalog, { at: ['body', 'filters', String(index), 'query'] })
    const overValues = mapValues(where, (value) =>
      value.kind === 'field' ? { kind: 'field', field: this.columnOf(value.field) } : value,
    )
    return [{ evaluationId: evaluation_call_id ?? undefined, condition: rewrite(overValues) }]
  }

  sort({ field: name, direction, evaluation_call_id, mode }: EvalResultsSortBy): RowSort {
    const field = resolveField(catalog, name)
    const isDifference = mode === 'difference'
    if (isDifference && (field.kind !== 'json' || field.column !== 'scores')) {
      throw new DomainError(
        'InvalidRequest',
        `Cannot sort by the difference of ${quoted(name)}: only scores have differences`,
      )
    }
    return {
      value: field.kind === 'json' ? this.indexOf(field) : undefined,
      direction,
      evaluationId: isDifference ? undefined : (evaluation_call_id ?? undefined),
      isDifference,
    }
  }

  /** The column of one row of one evaluation that holds a value. */
  private columnOf(field: Field): Field {
    return field.kind === 'json' ? { kind: 'json', column: `v${this.indexOf(field)}`, path: [] } : field
  }

  private indexOf({ column, path }: JsonField): number {
    const named = column === 'outputs' ? 'output' : column
    const source = present(
      sources.find((each) => each === named),
      `The source of ${column}`,
    )
    // An output is often a text; rows and scores always have members.
    if (path.length === 0 && source !== 'output') {
      const message = `Invalid field "${column}": a path is required${didYouMean(column, examples)}`
      throw new DomainError('InvalidField', message, { extras: { field: column } })
    }
    const known = this.list.findIndex(
      (value) => value.source === source && JSON.stringify(value.path) === JSON.stringify(path),
    )
    return known >= 0 ? known : this.list.push({ source, path }) - 1
  }
}

const sources: readonly TrialValue['source'][] = ['scores', 'inputs', 'output']
const examples = ['scores.accuracy', 'inputs.question', 'outputs.answer']
