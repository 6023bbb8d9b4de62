import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { FreeObject, Nullable, OpenObject, passedOn } from '../schemas/members.ts'
import { parseJson } from '../wire/json-body.ts'
import { numberPlaces } from './number-places.ts'

/** A value as it prints after it was parsed by a schema. */
const printed = (schema: Parameters<typeof numberPlaces>[0], text: string): string =>
  JSON.stringify(parseJson(text, 50, numberPlaces(schema)))

test('numbers are exact where a schema allows any JSON, and plain where it does not', () => {
  const schema = OpenObject({
    limit: Type.Number(),
    details: FreeObject,
    value: Type.Optional(Type.Unknown()),
    rows: Nullable(Type.Array(FreeObject)),
    byName: Type.Record(Type.String(), OpenObject({ cost: Type.Number(), extra: Type.Unknown() })),
  })
  expect(
    printed(
      schema,
      '{"limit":1.0,"details":{"a":1.0,"limit":[2.0]},"value":3.0,"rows":[{"cost":4.0}],' +
        '"byName":{"x":{"cost":5.0,"extra":{"cost":6.0}}},"unknown":7.0,"details2":{"a":8.0}}',
    ),
  ).toBe(
    '{"limit":1,"details":{"a":1.0,"limit":[2.0]},"value":3.0,"rows":[{"cost":4.0}],' +
      '"byName":{"x":{"cost":5,"extra":{"cost":6.0}}},"unknown":7,"details2":{"a":8}}',
  )
})

test('a number in place of a free object is plain, so that it is refused as what it is', () => {
  expect(printed(OpenObject({ details: FreeObject }), '{"details":1.0}')).toBe('{"details":1}')
  expect(printed(OpenObject({ rows: Type.Array(FreeObject) }), '{"rows":[1.0,{"n":1.0}]}')).toBe(
    '{"rows":[1,{"n":1.0}]}',
  )
})

test('members that are passed on are exact, and those of the schema are not', () => {
  const schema = Type.Object({ n: Type.Integer(), stop: Nullable(Type.Unknown()) }, passedOn)
  expect(printed(schema, '{"n":1.0,"stop":2.0,"seed":3.0,"logit_bias":{"n":4.0}}')).toBe(
    '{"n":1,"stop":2.0,"seed":3.0,"logit_bias":{"n":4.0}}',
  )
})

test('the variants of a union are one place', () => {
  const schema = Type.Union([
    OpenObject({ kind: Type.Literal('start'), at: Type.Number(), start: FreeObject }),
    OpenObject({ kind: Type.Literal('end'), end: Type.Unknown() }),
    Type.Array(Type.Unknown()),
    Type.Null(),
  ])
  expect(printed(schema, '{"kind":"start","at":1.0,"start":{"at":2.0},"end":3.0}')).toBe(
    '{"kind":"start","at":1,"start":{"at":2.0},"end":3.0}',
  )
  expect(printed(schema, '[1.0]')).toBe('[1.0]')
})

test('members have their places under their names in either dialect', () => {
  const schema = OpenObject({ ext_details: FreeObject })
  expect(printed(schema, '{"ext_details":{"a":1.0}}')).toBe('{"ext_details":{"a":1.0}}')
  expect(printed(schema, '{"wb_details":{"a":1.0}}')).toBe('{"wb_details":{"a":1.0}}')
})

test('a recursive schema has as many places as schemas', () => {
  const node = Type.Recursive((self) =>
    OpenObject({ cost: Type.Number(), free: FreeObject, children: Type.Array(self) }),
  )
  const text = '{"cost":1.0,"children":[{"free":{"cost":2.0},"children":[{"cost":3.0,"free":{"a":[4.0]}}]}]}'
  expect(printed(node, text)).toBe(text.replace('1.0', '1').replace('3.0', '3'))
})

test('a member that is a number in one variant and any JSON in another is refused by its path', () => {
  const schema = OpenObject({
    one: Type.Union([OpenObject({ value: Type.Number() }), OpenObject({ value: Type.Unknown() })]),
  })
  expect(() => numberPlaces(schema)).toThrow('`one.value` is a number in one variant and any JSON in another')
})
