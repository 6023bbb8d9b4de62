import type { Random } from './random.ts'
import { texts } from './random-json.ts'
import { condition } from './random-query.ts'

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'x',
  '$expr',
  [],
  {},
  [[]],
  [null],
  { $literal: 1 },
  { $getField: 'inputs.x' },
  { $getField: 'feedback.[x].payload.y' },
  { $getField: 'annotation_queue_items.queue_id' },
  { $getField: 'storage_size_bytes' },
  { $getField: 'inputs.-999999999' },
  { $getField: 'inputs.99999999999999999999' },
  { $getField: 'inputs.-0' },
  { $getField: 'summary' },
  { $getField: 'inputs.\\' },
  { $getField: 'inputs.a\\' },
  { $getField: '\u0000' },
  { $getField: 'inputs.\u0000' },
  { $getField: 'otel_dump.' },
  { $literal: '\u0000' },
  { $literal: { a: 1 } },
  { $literal: -1e308 },
  { $literal: 253402300800 },
  { $literal: '2024-05-01' },
  { $size: { $getField: 'ended_at' } },
  { $convert: { input: { $getField: 'started_at' }, to: 'int' } },
  { $convert: { input: { $literal: null }, to: 'bool' } },
  { __proto__: 1 },
  { constructor: [] },
  { toString: {} },
]

/** The body of a query request: mostly valid, with a fault or two. */
export function randomBody(random: Random): Record<string, unknown> {
  const query = { $expr: condition(random, random.below(4)) }
  const changes = random.below(2)
  const damaged = changes === 0 ? query : damage(structuredClone(query), random)
  const body: Record<string, unknown> = { query: random.below(40) === 0 ? random.pick(strange) : damaged }
  if (random.below(4) === 0) body['sort_by'] = [{ field: field(random), direction: random.pick(['asc', 'desc']) }]
  if (random.below(4) === 0) body['columns'] = [field(random), 'id']
  if (random.below(4) === 0) body['expand_columns'] = [field(random)]
  if (random.below(3) === 0)
    body['limit'] = random.pick([0, 1, 5, 9, 20, 2 ** 53 - 1, 1e18, null, null, random.pick([-1, 1e300, 1.5, '1'])])
  if (random.below(6) === 0) body['offset'] = random.pick([0, 1, 5, 2 ** 53 - 1, 1e18, null, random.pick([-1, 1e300])])
  if (random.below(8) === 0)
    body['filter'] = random.pick([
      { op_names: texts },
      { trace_roots_only: true },
      { input_refs: texts },
      random.pick(strange),
    ])
  return body
}

const sound = ['id', 'started_at', 'inputs', 'inputs.a', 'output.0', 'inputs.-1', 'summary', 'attributes.x', 'trace_id']
const field = (random: Random): string =>
  random.below(12) > 0
    ? random.pick(sound)
    : random.pick(['summary.ext.status', 'input_refs', 'deleted_at', 'feedback.[*].payload.x', ...texts])

/** Replaces one part somewhere in the tree. */
function damage(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.below(5) === 0) return random.pick(strange)
  const keys = Object.keys(value)
  if (keys.length === 0) return random.pick(strange)
  const key = random.pick(keys)
  const holder = value as Record<string, unknown>
  switch (random.below(8)) {
    case 0:
      delete holder[key]
      break
    case 1:
      holder[random.pick(['$eq', '$in', 'x', '$literal', '$convert'])] = random.pick(strange)
      break
    default:
      holder[key] = damage(holder[key], random)
  }
  return value
}

/** JSON text in which bigints are plain digits. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `bigint:${item}` : item)).replaceAll(
    /"bigint:(-?\d+)"/g,
    '$1',
  )
