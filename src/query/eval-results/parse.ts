import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { EvalResultsFilter, EvalResultsQuestion, EvalResultsSortBy } from '../../model/eval-results.ts'
import { mapFields } from '../map-fields.ts'
import { nearest } from '../nearest.ts'
import { parsePage } from '../page.ts'
import { resolveTableField, type TableField, type TableFields } from '../table-fields.ts'
import { parseTableQuery } from '../table-query/parse-query.ts'
import type { RowFilter, RowSort, RowsPlan, TrialValue } from './plan.ts'

const fields: TableFields = {
  columns: [
    { name: 'row_digest', type: 'text' },
    { name: 'scores', type: 'json' },
    { name: 'inputs', type: 'json' },
    { name: 'outputs', type: 'json' },
    { name: 'output', type: 'json' },
  ],
  neutralName: (name) => name,
  wireName: (name) => name,
}

/** Sorts, filters and page of a question. @throws DomainError InvalidField, InvalidRequest; RequestInvalid */
export function parseRows(question: EvalResultsQuestion): RowsPlan {
  const values = new ValueList()
  const { sort_by, filters } = question
  const counts = [
    ['sort_by', sort_by?.length ?? 0],
    ['filters', filters?.length ?? 0],
  ] as const
  for (const [member, count] of counts) {
    if (count <= limits.sortKeysMax) continue
    throw new DomainError('InvalidRequest', `Read ${member}: ${count} are more than the ${limits.sortKeysMax} allowed`)
  }
  return {
    filters: (filters ?? []).flatMap((filter, index) => values.filter(filter, index)),
    needsAll: question.filter_logic_operator === 'and',
    sort: (sort_by ?? []).map((key) => values.sort(key)),
    values: values.list,
    requireIntersection: question.require_intersection === true,
    ...parsePage(question),
  }
}

/** Values that are asked for, each once. */
class ValueList {
  readonly list: TrialValue[] = []

  filter({ evaluation_call_id, query }: EvalResultsFilter, index: number): RowFilter[] {
    const node = parseTableQuery(query, fields, ['body', 'filters', String(index), 'query'])
    if (node === undefined) return []
    const condition = mapFields(node, (field) => this.columnOf(field))
    return [{ evaluationId: evaluation_call_id ?? undefined, condition }]
  }

  sort({ field: name, direction, evaluation_call_id, mode }: EvalResultsSortBy): RowSort {
    const field = resolveTableField(fields, name)
    const isDifference = mode === 'difference'
    if (isDifference && field.column !== 'scores') {
      throw new DomainError('InvalidRequest', `Sort by the difference of "${name.slice(0, 80)}": only scores have one`)
    }
    return {
      value: field.column === 'row_digest' ? undefined : this.indexOf(field),
      direction,
      evaluationId: isDifference ? undefined : (evaluation_call_id ?? undefined),
      isDifference,
    }
  }

  private columnOf(field: TableField): TableField {
    if (field.column === 'row_digest') return field
    return { ...field, column: `v${this.indexOf(field)}`, path: [] }
  }

  private indexOf({ name, column, path }: TableField): number {
    const source = column === 'outputs' ? 'output' : (column as TrialValue['source'])
    // What a model says is a text as often as not; rows and scores have members.
    if (path.length === 0 && source !== 'output') {
      throw new DomainError(
        'InvalidField',
        `Read the field "${name}": it needs a path; did you mean "${nearest(name, examples)}"?`,
        { extras: { field: name } },
      )
    }
    const known = this.list.findIndex(
      (value) => value.source === source && JSON.stringify(value.path) === JSON.stringify(path),
    )
    return known >= 0 ? known : this.list.push({ source, path }) - 1
  }
}

const examples = ['scores.accuracy', 'inputs.question', 'outputs.answer']
