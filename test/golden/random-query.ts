import type { Column } from '../../src/lib/table.ts'
import type { Operation } from '../conformance/support/query-expression.ts'
import type { Random } from './random.ts'
import { keys, numberTexts, texts } from './random-json.ts'

/** Fields that random queries use. */
export interface RandomFields {
  readonly columns: readonly string[]
  readonly jsonColumns: readonly string[]
}

/** The fields of a table. */
export const fieldsOf = (columns: readonly Pick<Column, 'name' | 'type'>[]): RandomFields => ({
  columns: columns.filter(({ type }) => type !== 'json').map(({ name }) => name),
  jsonColumns: columns.filter(({ type }) => type === 'json').map(({ name }) => name),
})

const callFields: RandomFields = {
  columns: [
    'op_name',
    'parent_id',
    'display_name',
    'exception',
    'ext_run_step',
    'started_at',
    'ended_at',
    'deleted_at',
    'input_refs',
  ],
  jsonColumns: ['inputs', 'output'],
}

const path = (random: Random, columns: readonly string[]): string => {
  const depth = 1 + random.below(2)
  const segments = Array.from({ length: depth }, () => random.pick(keys).replaceAll('.', '\\.'))
  return [random.pick(columns), ...segments].join('.')
}

const field = (random: Random, { columns, jsonColumns }: RandomFields): Operation => ({
  $getField: jsonColumns.length === 0 || random.below(3) === 0 ? random.pick(columns) : path(random, jsonColumns),
})

function literal(random: Random): Operation {
  switch (random.below(5)) {
    case 0:
      return { $literal: random.below(4) === 0 ? null : random.below(2) === 0 }
    case 1:
    case 2: {
      const text = random.pick(numberTexts)
      return { $literal: /^-?\d{16,}$/.test(text) ? BigInt(text) : Number(text) }
    }
    default:
      return { $literal: random.pick(texts) }
  }
}

function operand(random: Random, depth: number, fields: RandomFields): Operation {
  const kind = random.below(12)
  if (kind < 5 || depth === 0) return field(random, fields)
  if (kind < 9) return literal(random)
  if (kind === 9) return { $size: operand(random, depth - 1, fields) }
  if (kind === 10) {
    const to = random.pick(['double', 'string', 'int', 'bool', 'exists'])
    return { $convert: { input: operand(random, depth - 1, fields), to } }
  }
  return condition(random, depth - 1, fields)
}

/** A random operation for the top level of a query. Some are rejected because of their types. */
export function condition(random: Random, depth: number, fields: RandomFields = callFields): Operation {
  const kind = random.below(depth > 0 ? 12 : 8)
  const inner = () => operand(random, Math.max(0, depth - 1), fields)
  if (kind < 5) {
    const sides = [field(random, fields), random.below(4) === 0 ? inner() : literal(random)]
    return {
      [random.pick(['$eq', '$eq', '$gt', '$gte', '$lt', '$lte'])]: random.below(4) === 0 ? sides.reverse() : sides,
    }
  }
  if (kind === 5) return { $in: [inner(), Array.from({ length: random.below(5) }, () => literal(random))] }
  if (kind === 6) {
    const substr = random.below(5) === 0 ? inner() : { $literal: random.pick(texts) }
    return { $contains: { input: inner(), substr, case_insensitive: random.below(2) === 0 } }
  }
  if (kind === 7) {
    return {
      $containsToken: {
        input: inner(),
        substr: { $literal: random.pick(['a', 'abc', 'Foo', 'bar', '5', '日本語', 'true']) },
        case_insensitive: random.below(2) === 0,
      },
    }
  }
  const items = Array.from({ length: 1 + random.below(3) }, () =>
    random.below(8) === 0 ? operand(random, depth - 1, fields) : condition(random, depth - 1, fields),
  )
  if (kind < 10) return { [random.pick(['$and', '$or'])]: items }
  return { $not: [items[0]] }
}
