import { beforeAll, describe, expect, test } from 'bun:test'
import type { Project } from '../support/project.ts'
import { is } from '../support/query-expression.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

interface Field {
  path: string
  types: string[]
  share: number
  examples: unknown[]
}
interface Fields {
  fields: Field[]
  calls_read: number
  is_sample: boolean
  is_partial: boolean
}

const server = await sharedServer()
const project = freshProject(server)

async function textOf(from: Project, request: object = {}): Promise<string> {
  const answer = await from.client.post('/calls/fields', { project_id: from.id, ...request })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return answer.text
}
const fieldsOf = async (from: Project, request: object = {}) => JSON.parse(await textOf(from, request)) as Fields
const fieldAt = ({ fields }: Fields, path: string) => fields.find((field) => field.path === path)

beforeAll(async () => {
  const start = {
    project_id: project.id,
    id: 'exact',
    op_name: 'op',
    started_at: '2024-05-01T10:00:00Z',
    attributes: {},
  }
  const inputs = '{"f": 1.0, "big": 12345678901234567890123, "exp": 1e5, "0": "zero", "a.b": true}'
  const body = JSON.stringify({ start: { ...start, inputs: {} } }).replace('"inputs":{}', `"inputs":${inputs}`)
  expect((await server.postRaw('/call/start', body)).status).toBe(200)
  await project.complete(
    {
      id: 'b',
      thread_id: 'thread',
      inputs: { f: 'text', messages: [{ role: 'user', content: 'hi' }, { other: 1 }], empty: [] },
      output: { deep: { er: null } },
      summary: { usage: { m: { prompt_tokens: 3 } } },
    },
    { id: 'c', op_name: 'other', inputs: { f: false }, output: 'plain' },
    { id: 'd', inputs: {}, output: [1, 2], attributes: { env: 'x'.repeat(500) } },
  )
})

describe('calls/fields', () => {
  test('lists paths with types, share and examples', async () => {
    const found = await fieldsOf(project)
    expect(found).toMatchObject({ calls_read: 4, is_sample: false, is_partial: false })
    expect(fieldAt(found, 'op_name')).toEqual({
      path: 'op_name',
      types: ['string'],
      share: 1,
      examples: expect.arrayContaining(['op', 'other', 'answer']) as unknown[],
    })
    expect(fieldAt(found, 'thread_id')).toMatchObject({ share: 0.25, examples: ['thread'] })
    const f = fieldAt(found, 'inputs.f')!
    expect(f.types.toSorted()).toEqual(['boolean', 'number', 'string'])
    expect(f.share).toBe(0.75)
    expect(fieldAt(found, 'inputs.messages')).toMatchObject({ types: ['array'], examples: [] })
    expect(fieldAt(found, 'inputs.messages.0.role')).toMatchObject({ types: ['string'], examples: ['user'] })
    expect(fieldAt(found, 'inputs.messages.1.other')).toBeUndefined()
    expect(fieldAt(found, 'output')!.types.toSorted()).toEqual(['array', 'object', 'string'])
    expect(fieldAt(found, 'output.deep.er')).toMatchObject({ types: ['null'], examples: [null] })
    expect(fieldAt(found, 'summary.usage.m.prompt_tokens')).toMatchObject({ types: ['number'], examples: [3] })
    expect(fieldAt(found, 'summary.ext.status')!.examples.toSorted()).toEqual(['running', 'success'])
    expect(fieldAt(found, 'attributes.env')!.examples).toEqual([`${'x'.repeat(200)}…`])
    expect(found.fields.map(({ share }) => share)).toEqual(
      found.fields.map(({ share }) => share).toSorted((a, b) => b - a),
    )
  })

  test('numbers are as stored, and every path can be queried', async () => {
    const text = await textOf(project, { filter: { call_ids: ['exact'] } })
    expect(text).toContain('"examples":[1.0]')
    expect(text).toContain('"examples":[12345678901234567890123]')
    expect(text).toContain('"examples":[1e5]')
    const found = JSON.parse(text) as Fields
    expect(fieldAt(found, 'inputs.0')?.examples).toEqual(['zero'])
    expect(fieldAt(found, 'inputs.a\\.b')?.examples).toEqual([true])
    for (const { path, types } of found.fields.filter(({ path }) => path.startsWith('inputs.'))) {
      const query = { $expr: { $not: [is(path, '$eq', null)] } }
      expect([path, types, await project.idsOf({ query })]).toEqual([path, types, expect.arrayContaining(['exact'])])
    }
  })

  test('obeys filter, query, prefix and limit', async () => {
    const ofPlain = await fieldsOf(project, { query: { $expr: is('output', '$eq', 'plain') } })
    expect(ofPlain.calls_read).toBe(1)
    expect(fieldAt(ofPlain, 'inputs.messages')).toBeUndefined()
    const prefixed = await fieldsOf(project, { prefix: 'INPUTS.m' })
    expect(prefixed.fields.map(({ path }) => path)).toEqual([
      'inputs.messages',
      'inputs.messages.0',
      'inputs.messages.0.content',
      'inputs.messages.0.role',
    ])
    expect((await fieldsOf(project, { limit: 3 })).fields).toHaveLength(3)
    expect(await fieldsOf(freshProject(server))).toEqual({
      fields: [],
      calls_read: 0,
      is_sample: false,
      is_partial: false,
    })
  })

  test('says that it read a sample of many calls', async () => {
    const many = freshProject(server)
    for (let batch = 0; batch < 3; batch++) {
      const at = (index: number) => new Date(Date.UTC(2024, 4, 1, 0, 0, batch * 1000 + index)).toISOString()
      const drafts = Array.from({ length: 1000 }, (_, index) => ({
        id: `c${batch}-${index}`,
        started_at: at(index),
        inputs: { batch },
      }))
      await many.complete(...drafts)
    }
    const found = await fieldsOf(many)
    expect(found).toMatchObject({ calls_read: 2000, is_sample: true, is_partial: false })
    expect(fieldAt(found, 'inputs.batch')!.examples.toSorted()).toEqual([1, 2])
  })

  test('reads only so many large payloads', async () => {
    const large = freshProject(server)
    for (let index = 0; index < 12; index++) {
      const started_at = `2024-05-01T10:00:${10 + index}Z`
      const text = 'y '.repeat(index === 11 ? 2_500_000 : 1_000_000)
      await large.complete({ id: `c${index}`, started_at, inputs: { text, [`key${index}`]: 1 } })
    }
    const found = await fieldsOf(large, { prefix: 'inputs' })
    // 16 MiB of them, without the largest one.
    expect(found).toMatchObject({ calls_read: 9, is_sample: true, is_partial: false })
    expect(fieldAt(found, 'inputs.key10')).toBeDefined()
    expect(fieldAt(found, 'inputs.key11')).toBeUndefined()
    expect(fieldAt(found, 'inputs.key1')).toBeUndefined()
  })

  test('refuses wrong requests', async () => {
    expectInvalid(await server.post('/calls/fields', { project_id: project.id, limit: 0 }), ['body', 'limit'])
    const query = { $expr: 1 }
    expect((await server.post('/calls/fields', { project_id: project.id, query })).status).toBe(422)
    expectRefusal(await server.post('/calls/fields', { project_id: project.id }, { key: null }), 401)
  })
})

test('the weave dialect spells paths in its own way', async () => {
  const weave = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  const theirs = freshProject(weave.client)
  await theirs.complete({ id: 'a' })
  const paths = (await fieldsOf(theirs)).fields.map(({ path }) => path)
  expect(paths).toContain('summary.weave.status')
  expect(paths).toContain('wb_user_id')
  const found = await fieldsOf(theirs, { prefix: 'summary.weave.' })
  expect(found.fields.map(({ path }) => path)).toEqual([
    'summary.weave.latency_ms',
    'summary.weave.status',
    'summary.weave.trace_name',
  ])
})
