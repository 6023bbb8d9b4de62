import { describe, expect, test } from 'bun:test'
import {
  and,
  contains,
  containsToken,
  convert,
  eq,
  get,
  is,
  isIn,
  literal,
  type Operation,
  size,
} from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const ask = (query: unknown) => freshProject(server).ask({ query })
const one = is('inputs.x', '$eq', 1)

const shapes: [string, unknown, string[]][] = [
  ['not an object', 5, []],
  ['a list', [], []],
  ['no $expr', {}, ['$expr']],
  ['an extra member next to $expr', { $expr: one, limit: 1 }, ['limit']],
  ['an operation that is not an object', { $expr: 'x' }, ['$expr']],
  ['an empty operation', { $expr: {} }, ['$expr']],
  ['an unknown operator', { $expr: { $ne: [get('id'), literal(1)] } }, ['$expr', '$ne']],
  ['an unknown operator inside', { $expr: and(one, { $regex: 'x' }) }, ['$expr', '$and', '1', '$regex']],
  ['two operators in one object', { $expr: { ...one, $gt: [] } }, ['$expr', '$gt']],
  ['$and without a list', { $expr: { $and: one } }, ['$expr', '$and']],
  ['$not of two', { $expr: { $not: [one, one] } }, ['$expr', '$not']],
  ['$eq of one', { $expr: { $eq: [get('id')] } }, ['$expr', '$eq']],
  ['$eq of three', { $expr: { $eq: [get('id'), get('id'), get('id')] } }, ['$expr', '$eq']],
  ['$in without a list', { $expr: { $in: [get('id'), literal('a')] } }, ['$expr', '$in', '1']],
  ['a bare value', { $expr: { $eq: [get('id'), 'a'] } }, ['$expr', '$eq', '1']],
  ['a path that is not a string', { $expr: eq({ $getField: 5 }, literal(1)) }, ['$expr', '$eq', '0', '$getField']],
  ['$contains without substr', { $expr: { $contains: { input: get('id') } } }, ['$expr', '$contains', 'substr']],
  [
    'a further member of $contains',
    { $expr: { $contains: { ...(contains(get('id'), 'a')['$contains'] as object), x: 1 } } },
    ['$expr', '$contains', 'x'],
  ],
  [
    'case_insensitive that is no flag',
    { $expr: { $contains: { input: get('id'), substr: literal('a'), case_insensitive: 1 } } },
    ['$expr', '$contains', 'case_insensitive'],
  ],
  [
    '$convert to what is none',
    { $expr: eq(convert(get('id'), 'date'), literal(1)) },
    ['$expr', '$eq', '0', '$convert', 'to'],
  ],
  ['a literal at the top', { $expr: literal(true) }, ['$expr', '$literal']],
  ['a field at the top', { $expr: get('inputs.x') }, ['$expr', '$getField']],
  ['a conversion at the top', { $expr: convert(get('inputs.x'), 'exists') }, ['$expr', '$convert']],
  ['a size at the top', { $expr: size(get('inputs.x')) }, ['$expr', '$size']],
]

const meaningless: [string, Operation, string[]][] = [
  ['$and of nothing', { $and: [] }, ['$and']],
  ['$or of nothing', { $or: [] }, ['$or']],
  ['an object as literal', is('inputs.x', '$eq', { a: 1 }), ['$literal']],
  ['a list as literal', isIn(get('inputs.x'), [1]), ['$literal']],
  ['text that is not a time', is('started_at', '$gt', 'yesterday'), ['yesterday']],
  ['a truth value as time', is('started_at', '$gt', true), ['time']],
  ['a time against text', { $gt: [get('started_at'), get('op_name')] }, ['time']],
  ['a time against JSON', { $gt: [get('started_at'), get('inputs.x')] }, ['time']],
  ['a text column against a number', is('op_name', '$eq', 5), ['$convert']],
  ['a number column against text', is('ext_run_step', '$eq', '5'), ['$convert']],
  ['literals of two types', eq(literal('a'), literal(1)), ['$convert']],
  ['$in with a type that the column never has', isIn(get('op_name'), 'a', 1), ['$convert']],
  ['a list compared', is('input_refs', '$eq', 'x'), ['$contains']],
  ['text as a condition', and(get('op_name')), ['condition']],
  ['a number as a condition', and(literal(1)), ['condition']],
  [
    'feedback of two types compared with each other',
    eq(get('feedback.[a].payload.x'), get('feedback.[b].payload.x')),
    ['feedback'],
  ],
  ['several words as a token', containsToken(get('op_name'), 'a b'), ['token']],
]

const unknownFields: [string, string][] = [
  ['opname', 'op_name'],
  ['op_name.x', 'op_name'],
  ['input.x', 'inputs'],
  ['summary.ext.nothing', 'summary.ext'],
  ['storage_size_bytes', 'storage_size_bytes'],
  ['total_storage_size_bytes', 'total_storage_size_bytes'],
  ['feedback.x', 'feedback'],
  ['feedback.[x].payload', 'feedback'],
  ['feedback.[x].creator', 'feedback'],
  ['feedback.[].payload.x', 'feedback'],
  ['annotation_queue_items.id', 'annotation_queue_items.queue_id'],
  ['', 'path'],
  ['inputs..x', 'path'],
  ['inputs.', 'path'],
]

describe('query rejects', () => {
  test.each(shapes)('%s, with its place', async (_what, query, place) => {
    expectInvalid(await ask(query), ['body', 'query', ...place])
  })

  test.each(meaningless)('%s', async (_what, operation, words) => {
    expectRefusal(await ask({ $expr: operation }), 400, ...words)
  })

  test.each(unknownFields)('the unknown field %j', async (field, word) => {
    expectRefusal(await ask({ $expr: is(field, '$eq', null) }), 422, field, word)
  })

  test('the same in query_stats', async () => {
    const { id } = freshProject(server)
    const body = { project_id: id, query: { $expr: { $ne: [] } } }
    expectInvalid(await server.post('/calls/query_stats', body), ['body', 'query', '$expr', '$ne'])
  })

  test('a number beyond the range of a double', async () => {
    const { id } = freshProject(server)
    const body = `{"project_id":"${id}","query":{"$expr":{"$eq":[{"$getField":"inputs.x"},{"$literal":1e999}]}}}`
    expectRefusal(await server.postRaw('/calls/stream_query', body), 400, 'number')
  })
})

describe('query limits', () => {
  const nested = (depth: number): Operation => (depth === 0 ? one : { $not: [nested(depth - 1)] })
  const terms = (count: number): Operation =>
    and(...Array.from({ length: count }, (_, index) => is(`inputs.x${index % 7}.y`, '$eq', `v${index}`)))

  test('64 levels are accepted, one more is rejected', async () => {
    expect((await ask({ $expr: nested(62) })).status).toBe(200)
    expectRefusal(await ask({ $expr: nested(63) }), 400, '64')
  })

  test('2000 operators and operands are accepted, more are rejected', async () => {
    expect((await ask({ $expr: terms(666) })).status).toBe(200)
    expectRefusal(await ask({ $expr: terms(667) }), 400, '2000')
  })

  test('1000 values of $in are accepted, more are rejected', async () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index % 2 ? `v${index}` : index))
    expect((await ask({ $expr: isIn(get('inputs.x'), ...values) })).status).toBe(200)
    expectRefusal(await ask({ $expr: isIn(get('inputs.x'), ...values, 'more') }), 400, '1000')
  })

  test('a literal of 65,536 characters is accepted, a longer one is rejected', async () => {
    expect((await ask({ $expr: is('inputs.x', '$eq', 'x'.repeat(65_536)) })).status).toBe(200)
    expectRefusal(await ask({ $expr: is('inputs.x', '$eq', 'x'.repeat(65_537)) }), 400, '65536')
  })
})
