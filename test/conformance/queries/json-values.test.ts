import { beforeAll, describe, expect, test } from 'bun:test'
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
  not,
  type Operation,
  or,
  size,
} from '../support/query-expression.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)

/** A call per kind of value of `inputs.v`, identified by its id. */
const values: Record<string, unknown> = {
  int: 5,
  float: 1.5,
  text: 'a b',
  digits: '5',
  empty: '',
  yes: true,
  no: false,
  nothing: null,
  list: ['x', 'y', 'z'],
  object: { k: 1, l: 'x' },
  token: 'Fehler: foo_bar, baz-1 überall',
}

beforeAll(async () => {
  await project.add(...Object.entries(values).map(([id, v]) => ({ id, inputs: { v } })))
  const bodies = [
    ['whole', '5.0'],
    ['big', '9007199254740993'],
    ['huge', '123456789012345678901234567890'],
  ]
  for (const [id, v] of bodies) {
    const start = `{"project_id":"${project.id}","id":"${id}","trace_id":"t","op_name":"answer","started_at":"2024-05-01T10:00:00Z","attributes":{},"inputs":{"v":${v}}}`
    const answer = await server.postRaw('/call/start', `{"start":${start}}`)
    expect(answer.status).toBe(200)
  }
  await project.add({ id: 'missing', inputs: {} })
})

const found = async (operation: Operation): Promise<string[]> =>
  (await project.idsOf({ query: { $expr: operation }, columns: ['id'] })).sort()

const v = get('inputs.v')
const everywhere = [...Object.keys(values), 'whole', 'big', 'huge', 'missing'].sort()
const present = everywhere.filter((id) => id !== 'missing' && id !== 'nothing')

const cases: [string, Operation, string[]][] = [
  ['an integer equals 5, 5.0 and "5"', is('inputs.v', '$eq', 5), ['digits', 'int', 'whole']],
  ['order of the operands is free', eq(literal(5), v), ['digits', 'int', 'whole']],
  ['a fraction', is('inputs.v', '$eq', 1.5), ['float']],
  ['$gt on numbers', is('inputs.v', '$gt', 1), ['big', 'digits', 'float', 'huge', 'int', 'whole']],
  ['$gt the other way round', { $gt: [literal(5), v] }, ['float']],
  ['$gte', is('inputs.v', '$gte', 5), ['big', 'digits', 'huge', 'int', 'whole']],
  ['$lt', is('inputs.v', '$lt', 5), ['float']],
  ['$lte', is('inputs.v', '$lte', 1.5), ['float']],
  ['$not of a comparison excludes non-numbers', not(is('inputs.v', '$gt', 1.5)), ['float']],
  ['text', is('inputs.v', '$eq', 'a b'), ['text']],
  [
    'text that looks like a number matches numbers by their text',
    is('inputs.v', '$eq', '5'),
    ['digits', 'int', 'whole'],
  ],
  [
    'text compares as text',
    is('inputs.v', '$gt', 'b'),
    ['no', 'object', 'yes']
      .filter((id) => id !== 'object')
      .concat('object')
      .sort(),
  ],
  ['the empty text is neither null nor missing', is('inputs.v', '$eq', ''), ['empty']],
  ['null is missing or JSON null', is('inputs.v', '$eq', null), ['missing', 'nothing']],
  ['null first', eq(literal(null), v), ['missing', 'nothing']],
  ['not null', not(is('inputs.v', '$eq', null)), present],
  ['null equals null', eq(literal(null), literal(null)), everywhere],
  ['any other comparison with null is unknown', is('inputs.v', '$gt', null), []],
  ['and so is its negation', not(is('inputs.v', '$gt', null)), []],
  ['true', is('inputs.v', '$eq', true), ['yes']],
  ['false', is('inputs.v', '$eq', false), ['no']],
  ['not true: booleans only', not(is('inputs.v', '$eq', true)), ['no']],
  ['$in of texts', isIn(v, 'a b', 'true', 'nobody'), ['text', 'yes']],
  ['$in of numbers', isIn(v, 5, 1.5), ['digits', 'float', 'int', 'whole']],
  ['$in of mixed types: each value by its type', isIn(v, 'a b', 1.5, false), ['float', 'no', 'text']],
  ['$in of nothing', isIn(v), []],
  ['not $in of nothing', not(isIn(v)), everywhere],
  ['$in with null is unknown without a match', isIn(v, 5, null), ['digits', 'int', 'whole']],
  ['not $in with null', not(isIn(v, 5, null)), []],
  ['$in of fields', { $in: [literal('5'), [v, get('op_name')]] }, ['digits', 'int', 'whole']],
  ['an integer beyond 2^53 to the last digit', is('inputs.v', '$eq', 9007199254740992), []],
  ['$contains', contains(v, 'b'), ['text', 'token']],
  ['$contains with an empty text: everything', contains(v, ''), everywhere],
  ['$contains with an empty text without case: everything', contains(v, '', true), everywhere],
  ['not $contains with an empty text: nothing', not(contains(v, '')), []],
  ['$contains with an empty text at a path that no call has', contains(get('output.none'), ''), everywhere],
  ['$contains respects case', contains(v, 'fehler'), []],
  ['$contains without case', contains(v, 'FEHLER', true), ['token']],
  ['$contains without case beyond ASCII', contains(v, 'ÜBERALL', true), ['token']],
  ['$contains in the text of a list', contains(v, '["x","y"'), ['list']],
  ['$contains in the text of an object', contains(v, '"l":"x"'), ['object']],
  ['$contains does not support wildcards', contains(v, 'a%b'), []],
  ['$containsToken: a whole token', containsToken(v, 'foo'), ['token']],
  ['$containsToken: no part of one', containsToken(v, 'fo'), []],
  ['$containsToken: digits are a token', containsToken(v, '1'), ['object', 'token', 'float'].sort()],
  ['$containsToken: letters beyond ASCII', containsToken(v, 'überall'), ['token']],
  ['$containsToken without case', containsToken(v, 'FEHLER', true), ['token']],
  ['$convert double', { $eq: [convert(v, 'double'), literal(5)] }, ['digits', 'int', 'whole']],
  ['$convert int: null for non-integers', not(eq(convert(v, 'int'), literal(0))), ['big', 'digits', 'int', 'whole']],
  ['$convert string', eq(convert(v, 'string'), literal('5')), ['digits', 'int', 'whole']],
  ['$convert bool', eq(convert(v, 'bool'), literal(true)), ['yes']],
  ['$convert exists', eq(convert(v, 'exists'), literal(true)), present],
  ['$convert exists is false, not unknown', eq(convert(v, 'exists'), literal(false)), ['missing', 'nothing']],
  ['$size of a list', eq(size(v), literal(3)), ['list', 'text']],
  ['$size of an object', eq(size(v), literal(2)), ['object']],
  ['$size of the empty text', eq(size(v), literal(0)), ['empty']],
  [
    '$size of anything else is null',
    eq(size(v), literal(null)),
    everywhere.filter((id) => !['list', 'object', 'text', 'digits', 'empty', 'token'].includes(id)),
  ],
  ['an index into a list', is('inputs.v.1', '$eq', 'y'), ['list']],
  ['an index from the end', is('inputs.v.-1', '$eq', 'z'), ['list']],
  ['a key', is('inputs.v.k', '$eq', 1), ['object']],
  ['two fields', eq(v, v), present],
  ['two literals, true', eq(literal(1), literal(1)), everywhere],
  ['two literals, false', eq(literal(1), literal(2)), []],
  ['$and of one', and(is('inputs.v', '$eq', 1.5)), ['float']],
  ['$or', or(is('inputs.v', '$eq', 1.5), is('inputs.v', '$eq', 'a b')), ['float', 'text']],
  ['unknown or true is true', or(is('inputs.v', '$gt', null), is('inputs.v', '$eq', 1.5)), ['float']],
  ['unknown and true is unknown', and(is('inputs.v', '$gt', null), is('inputs.v', '$eq', 1.5)), []],
  ['a condition as operand', eq(is('inputs.v', '$gt', 2), literal(false)), ['float']],
  ['a field as condition', and(v), ['yes']],
  ['the whole column', contains(get('inputs'), '"v":1.5'), ['float']],
  ['the older name of a column', is('inputs_dump.v', '$eq', 1.5), ['float']],
  ['names as Python spells them', { eq_: [{ get_field_: 'inputs.v' }, { literal_: 1.5 }] }, ['float']],
]

describe('query over values inside JSON', () => {
  test.each(cases)('%s', async (_rule, operation, ids) => {
    expect(await found(operation)).toEqual(ids)
  })

  test.each([
    ['9007199254740993', ['big']],
    ['9007199254740992', []],
    ['123456789012345678901234567890', ['huge']],
    ['123456789012345678901234567891', []],
  ])('the literal %s is compared exactly', async (digits, ids) => {
    const query = `{"$expr":{"$eq":[{"$getField":"inputs.v"},{"$literal":${digits}}]}}`
    const answer = await server.postRaw(
      '/calls/query',
      `{"project_id":"${project.id}","columns":["id"],"query":${query}}`,
    )
    const { calls } = answer.json as { calls: { id: string }[] }
    expect(calls.map(({ id }) => id)).toEqual(ids)
  })
})

describe('keys in paths', () => {
  const keys = [
    'a.b',
    "it's",
    'say "hi"',
    'a/b',
    'a~b',
    '~1',
    '日本',
    '0',
    '$[0]',
    'a\\b',
    ' ',
    '%',
    'null',
    '__proto__',
  ]
  const project = freshProject(server)
  beforeAll(async () => {
    const inputs = Object.fromEntries(keys.map((key, index) => [key, index])) as Record<string, unknown>
    Object.defineProperty(inputs, '__proto__', { value: keys.indexOf('__proto__'), enumerable: true })
    await project.add({ id: 'a', inputs }, { id: 'b', inputs: {} })
  })

  test.each(keys.map((key, index) => [key, index] as const))('%j', async (key, value) => {
    const path = `inputs.${key.replaceAll('.', '\\.')}`
    expect(await project.idsOf({ query: { $expr: is(path, '$eq', value) } })).toEqual(['a'])
    expect(await project.idsOf({ query: { $expr: not(eq(get(path), literal(null))) } })).toEqual(['a'])
  })
})

describe.each(['exception', 'display_name', 'thread_id', 'turn_id'])('a missing %s', (name) => {
  const own = freshProject(server)
  beforeAll(() =>
    own.add({ id: 'missing' }, { id: 'timeout', [name]: 'timeout' }, { id: 'other', [name]: 'a Timeout, at last' }),
  )
  const cases: [string, Operation, string[]][] = [
    ['not equal', not(is(name, '$eq', 'timeout')), ['missing', 'other']],
    ['equal', is(name, '$eq', 'timeout'), ['timeout']],
    ['null', is(name, '$eq', null), ['missing']],
    ['not null', not(is(name, '$eq', null)), ['other', 'timeout']],
    ['empty', is(name, '$eq', ''), ['missing']],
    ['less', is(name, '$lt', 'b'), ['missing', 'other']],
    ['not less', not(is(name, '$lt', 'b')), ['timeout']],
    ['greater', is(name, '$gt', ''), ['other', 'timeout']],
    ['not one of', not(isIn(get(name), 'timeout', 'x')), ['missing', 'other']],
    ['one of', isIn(get(name), 'timeout', ''), ['missing', 'timeout']],
    ['without a part', not(contains(get(name), 'timeout')), ['missing', 'other']],
    ['without a part in any case', not(contains(get(name), 'timeout', true)), ['missing']],
    ['with the empty part', contains(get(name), ''), ['missing', 'other', 'timeout']],
    ['not, in an alternative', or(is('id', '$eq', 'x'), not(is(name, '$eq', 'timeout'))), ['missing', 'other']],
  ]
  test.each(cases)('is the empty text: %s', async (_, $expr, expected) => {
    expect((await own.idsOf({ query: { $expr } })).sort()).toEqual(expected)
  })

  test('comes first in ascending order and last in descending', async () => {
    const sorted = (direction: string) => own.idsOf({ sort_by: [{ field: name, direction }] })
    expect(await sorted('asc')).toEqual(['missing', 'other', 'timeout'])
    expect(await sorted('desc')).toEqual(['timeout', 'other', 'missing'])
  })
})
