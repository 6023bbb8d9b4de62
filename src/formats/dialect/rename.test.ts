import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { compileRename } from './rename.ts'
import { renameSchema, toVendorLocation } from './rename-schema.ts'
import { fieldPathMark, namespaceMark } from './schema-parts.ts'

const Start = Type.Object({
  ext_user_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  inputs: Type.Record(Type.String(), Type.Unknown()),
  attributes: Type.Record(Type.String(), Type.Unknown(), { [namespaceMark]: true }),
})
const End = Type.Object({ ext_run_step_end: Type.Integer() })
const Batch = Type.Object({
  batch: Type.Array(
    Type.Union([
      Type.Object({ mode: Type.Literal('start'), req: Type.Object({ start: Start }) }),
      Type.Object({ mode: Type.Literal('end'), req: Type.Object({ end: End }) }),
    ]),
  ),
})
const Tree = Type.Recursive((This) => Type.Object({ ext_ref: Type.String(), children: Type.Array(This) }), {
  $id: 'Tree',
})

const roundTrips: [string, TSchema, unknown, unknown][] = [
  ['a member', Type.Object({ ext_ref: Type.String() }), { ext_ref: 'a' }, { weave_ref: 'a' }],
  [
    'members by kind, and free JSON to the letter',
    Batch,
    {
      batch: [
        {
          mode: 'start',
          req: {
            start: { inputs: { ext_user_id: 1 }, attributes: { ext: { os: 'x' }, ext_ref: 2 }, ext_user_id: null },
          },
        },
        { mode: 'end', req: { end: { ext_run_step_end: 3 } } },
      ],
    },
    {
      batch: [
        {
          mode: 'start',
          req: {
            start: { inputs: { ext_user_id: 1 }, attributes: { weave: { os: 'x' }, ext_ref: 2 }, wb_user_id: null },
          },
        },
        { mode: 'end', req: { end: { wb_run_step_end: 3 } } },
      ],
    },
  ],
  [
    'recursion',
    Tree,
    { ext_ref: 'a', children: [{ ext_ref: 'b', children: [] }] },
    { weave_ref: 'a', children: [{ weave_ref: 'b', children: [] }] },
  ],
  [
    'records of a known form',
    Type.Record(Type.String(), End),
    { ext_user_id: { ext_run_step_end: 1 } },
    { ext_user_id: { wb_run_step_end: 1 } },
  ],
  [
    'tuples',
    Type.Tuple([Type.Unknown(), End]),
    [{ ext_ref: 1 }, { ext_run_step_end: 1 }],
    [{ ext_ref: 1 }, { wb_run_step_end: 1 }],
  ],
  [
    'intersections',
    Type.Intersect([End, Type.Object({ ext_ref: Type.String() })]),
    { ext_run_step_end: 1, ext_ref: 'a' },
    { wb_run_step_end: 1, weave_ref: 'a' },
  ],
  [
    'names of fields',
    Type.Object({ columns: Type.Union([Type.Array(Type.String({ [fieldPathMark]: true })), Type.Null()]) }),
    { columns: ['id', 'ext_run_id', 'summary.ext.status'] },
    { columns: ['id', 'wb_run_id', 'summary.weave.status'] },
  ],
  [
    'a declared form before free JSON',
    Type.Union([Type.Record(Type.String(), Type.Unknown()), End]),
    { ext_ref: 1 },
    { ext_ref: 1 },
  ],
]

describe('round trip', () => {
  test.each(roundTrips)('%s', async (_, schema, neutral, vendor) => {
    expect(compileRename(schema, 'to vendor')!(neutral)).toEqual(vendor)
    expect(compileRename(schema, 'to neutral')!(vendor)).toEqual(neutral)
    expect(await compileRename(schema, 'to neutral')!.inTurns(vendor)).toEqual(neutral)
    if (Value.Check(schema, neutral)) expect(Value.Check(renameSchema(schema), vendor)).toBe(true)
  })
})

test('schemas without dialect-specific names compile to nothing', () => {
  const free = Type.Object({
    ext: Type.Unknown(),
    inputs: Type.Record(Type.String(), Type.Any()),
    ids: Type.Array(Type.String()),
  })
  expect(compileRename(free, 'to neutral')).toBeUndefined()
  expect(compileRename(Type.Unknown(), 'to vendor')).toBeUndefined()
})

const Halves = Type.Array(
  Type.Union([
    Type.Object({ mode: Type.Optional(Type.String()), req: Type.Object({ start: Start }) }),
    Type.Object({ mode: Type.Optional(Type.String()), req: Type.Object({ end: End }) }),
  ]),
)

test.each([
  [{ req: { end: { wb_run_step_end: 1 } } }, { req: { end: { ext_run_step_end: 1 } } }],
  [
    { req: { end: { wb_run_step_end: 1 } }, mode: 'end' },
    { req: { end: { ext_run_step_end: 1 } }, mode: 'end' },
  ],
  [
    { mode: 'end', req: { end: { wb_run_step_end: 1 }, extra: 1 } },
    { mode: 'end', req: { end: { ext_run_step_end: 1 }, extra: 1 } },
  ],
  [{ req: { start: { wb_user_id: 'u' } } }, { req: { start: { ext_user_id: 'u' } } }],
])('union variants are told apart by nested members: %j', (vendor, neutral) => {
  expect(compileRename(Halves, 'to neutral')!([vendor])).toEqual([neutral])
})

test('the name of the active dialect takes precedence', () => {
  const rename = compileRename(Type.Object({ ext_user_id: Type.String() }), 'to neutral')!
  expect(rename({ ext_user_id: 'neutral', wb_user_id: 'vendor' })).toEqual({ ext_user_id: 'vendor' })
  expect(rename({ wb_user_id: 'vendor', ext_user_id: 'neutral' })).toEqual({ ext_user_id: 'vendor' })
  expect(rename({ ext_user_id: 'neutral' })).toEqual({ ext_user_id: 'neutral' })
})

test("user members survive a clash with the server's namespace", () => {
  const schema = Type.Object({ summary: Type.Record(Type.String(), Type.Unknown(), { [namespaceMark]: true }) })
  const both = { summary: { ext: 1, weave: 2 } }
  expect(compileRename(schema, 'to neutral')!(both)).toEqual(both)
  expect(compileRename(schema, 'to vendor')!(both)).toEqual(both)
})

test('hostile names and values of the wrong type pass through', () => {
  const rename = compileRename(Batch, 'to neutral')!
  const hostile = JSON.parse('{"batch":[{"mode":"end","__proto__":{"x":1},"req":{"end":{"constructor":1}}}]}')
  expect(JSON.stringify(rename(hostile))).toBe(JSON.stringify(hostile))
  for (const value of [null, 1, 'text', [], { batch: null }, { batch: [null, 3] }]) expect(rename(value)).toEqual(value)
})

test('unchanged values are not copied', () => {
  const inputs = { a: { b: 1 } }
  const start = { mode: 'start', req: { start: { inputs, attributes: {} } } }
  const renamed = compileRename(Batch, 'to vendor')!({ batch: [start] }) as { batch: [typeof start] }
  expect(renamed.batch[0].req.start.inputs).toBe(inputs)
})

test.each([
  [
    ['batch', '0', 'req', 'start', 'ext_user_id'],
    ['batch', '0', 'req', 'start', 'wb_user_id'],
  ],
  [
    ['batch', '0', 'req', 'end', 'ext_run_step_end'],
    ['batch', '0', 'req', 'end', 'wb_run_step_end'],
  ],
  [
    ['batch', '0', 'req', 'start', 'inputs', 'ext_ref'],
    ['batch', '0', 'req', 'start', 'inputs', 'ext_ref'],
  ],
  [
    ['unknown', 'ext_ref'],
    ['unknown', 'ext_ref'],
  ],
])('the location %p is shown to the client as %p', (neutral, vendor) => {
  expect(toVendorLocation(Batch, neutral)).toEqual(vendor)
})

test('renaming a large value yields to other requests', async () => {
  const start = { mode: 'start', req: { start: { inputs: {}, attributes: {}, wb_user_id: null } } }
  const rename = compileRename(Batch, 'to neutral')!
  const large = { batch: Array.from({ length: 50_000 }, () => start) }
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const renamed = await rename.inTurns(large)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(renamed).toEqual(rename(large))
})
