import { expect, test } from 'bun:test'
import { internalProjectId, projectIdOf } from '../../lib/project-id.ts'
import { findRef, parseRef, RefWriter } from './parsed-ref.ts'

const projectId = 'acme/traces'
const object = { kind: 'object', projectId, name: 'model', version: 'abc', edges: [] }

test.each([
  ['ext:///acme/traces/object/model:abc', object],
  ['weave:///acme/traces/object/model:abc', object],
  [`ext-internal:///${internalProjectId(projectId)}/object/model:abc`, object],
  [`weave-trace-internal:///${internalProjectId(projectId)}/object/model:abc`, object],
  ['ext:///acme/traces/op/gr%C3%B6%C3%9Fe:*', { ...object, kind: 'op', name: 'größe', version: '*' }],
  ['ext:///my%20team/a%20b/object/m:v0', { ...object, projectId: 'my team/a b', name: 'm', version: 'v0' }],
  [
    'ext:///acme/traces/object/model:abc/attr/rows/id/xyz/key/a%2Fb%25/index/3',
    {
      ...object,
      edges: [
        { kind: 'attr', value: 'rows' },
        { kind: 'id', value: 'xyz' },
        { kind: 'key', value: 'a/b%' },
        { kind: 'index', value: '3' },
      ],
    },
  ],
  ['ext:///acme/traces/table/0123abc', { kind: 'table', projectId, digest: '0123abc' }],
  ['ext:///acme/traces/call/a:b.c', { kind: 'call', projectId, id: 'a:b.c' }],
  ['ext:///acme/traces/call/a/attr/x', { kind: 'call', projectId, id: 'a' }],
])('parses %s', (text, parsed) => {
  expect(parseRef(text)).toEqual(parsed as never)
})

test.each([
  '',
  'text',
  'ext://acme/traces/object/m:v',
  'http:///acme/traces/object/m:v',
  'ext:///',
  'ext:///acme/traces',
  'ext:///acme/traces/',
  'ext:///acme/traces/object',
  'ext:///acme/traces/object/m',
  'ext:///acme/traces/object/m:',
  'ext:///acme/traces/object/:v',
  'ext:///acme/traces/object/m:v:w',
  'ext:///acme/traces/object/a%2Fb:v',
  'ext:///acme/traces/object/m:a%3Ab',
  'ext:///acme/traces/object/m:v/attr',
  'ext:///acme/traces/object/m:v/attr/a/',
  'ext:///acme/traces/object/m:v/other/a',
  'ext:///acme/traces/object/m:v/index/x',
  'ext:///acme/traces/table/abc/id/x',
  'ext:///acme/traces/table/',
  'ext:///acme/traces/call/',
  'ext:///acme/traces/thing/a:b',
  'ext:///a%2Fb/traces/object/m:v',
  'ext:///../traces%00/object/m:v',
  'ext-internal:///acme/traces/object/m:v',
  'ext-internal:///!!/object/m:v',
  'wandb-artifact:///acme/traces/abc',
])('rejects %s', (text) => {
  expect(findRef(text)).toBeUndefined()
  expect(() => parseRef(text)).toThrow(expect.objectContaining({ type: 'InvalidRequest' }))
})

test('formatting and parsing a ref round-trips', () => {
  const edges = [
    { kind: 'attr', value: "a/b:c%20 '()*!" },
    { kind: 'index', value: '-1' },
  ] as const
  const ref = { kind: 'op', projectId: 'my team/traces', name: 'größe', version: 'v0', edges } as const
  const text = new RefWriter('ext:///').object(ref)
  expect(text).toBe('ext:///my%20team/traces/op/gr%C3%B6%C3%9Fe:v0/attr/a%2Fb%3Ac%2520%20%27%28%29%2A%21/index/-1')
  expect(parseRef(text)).toEqual(ref)
})

test.each([
  ['%', '%'],
  ['100%', '100%'],
  ['%2', '%2'],
  ['%zz%20', '%zz '],
  ['%25zz', '%zz'],
  ['%C3%B6', 'ö'],
  ['%EF%BB%BFx', '\uFEFFx'],
  ['%FFx', '\uFFFDx'],
  ['a+b', 'a+b'],
  ['a?b&c=d#e', 'a?b&c=d#e'],
])('the edge value %s is decoded as in Python: %j', (encoded, value) => {
  const ref = parseRef(`ext:///acme/traces/object/m:v/key/${encoded}`)
  expect(ref).toMatchObject({ edges: [{ kind: 'key', value }] })
})

test('internal project ids are unique', () => {
  for (const id of ['acme/traces', 'a/b', 'größe/x']) expect(projectIdOf(internalProjectId(id))).toBe(id)
  for (const id of ['', '!', 'YQ==', `${internalProjectId('a/b')}=`, '_w']) expect(projectIdOf(id)).not.toBe('a/b')
})
