import { beforeAll, describe, expect, test } from 'bun:test'
import { codecs, encodings, exportOf, groupOf, send, spanOf } from '../support/otlp.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const { client } = server
let narrow: string
let reader: string

beforeAll(async () => {
  narrow = await server.createKey({ name: 'narrow', role: 'write', scope: 'narrow' })
  reader = await server.createKey({ name: 'reader', role: 'read', scope: '*' })
})

const resourceOf = ({ entity, name }: { entity: string; name: string }, prefix: string) => ({
  [`${prefix}.entity`]: entity,
  [`${prefix}.project`]: name,
})

describe.each(encodings)('the project of an export in %s', (encoding) => {
  test.each(['ext', 'wandb'])(
    'comes from resource attributes with the prefix %s, which override the header',
    async (prefix) => {
      const [named, other] = [freshProject(client), freshProject(client)]
      const body = exportOf(groupOf([spanOf()], resourceOf(named, prefix)))
      expect(await send(client, body, encoding, { headers: { project_id: other.id } })).toMatchObject({ status: 200 })
      expect(await named.query()).toHaveLength(1)
      expect(await other.query()).toHaveLength(0)
      expect((await named.query())[0]?.project_id).toBe(named.id)
    },
  )

  test('may differ between resources', async () => {
    const [one, two, three] = [freshProject(client), freshProject(client), freshProject(client)]
    const body = exportOf(
      groupOf([spanOf(), spanOf()], resourceOf(one, 'ext')),
      groupOf([spanOf()], resourceOf(two, 'wandb')),
      groupOf([spanOf()], { 'ext.entity': 'half of a name' }),
    )
    await send(client, body, encoding, { headers: { project_id: three.id } })
    expect(await one.query()).toHaveLength(2)
    expect(await two.query()).toHaveLength(1)
    expect(await three.query()).toHaveLength(1)
  })

  test('may be percent-encoded in the header, as exporters send it that do not decode their variables', async () => {
    const project = freshProject(client)
    const headers = { project_id: encodeURIComponent(project.id) }
    expect(await send(client, exportOf(groupOf([spanOf()])), encoding, { headers })).toMatchObject({ status: 200 })
    expect(await project.query()).toHaveLength(1)
  })

  test('is required', async () => {
    const { status, message } = await send(client, exportOf(groupOf([spanOf()])), encoding)
    expect(status).toBe(400)
    expect(message).toContain('project_id')
    for (const project_id of ['no-slash', '/x', 'a/b/c', 'a%2Fb%2Fc', 'a%zz/b']) {
      expect((await send(client, exportOf(groupOf([spanOf()])), encoding, { headers: { project_id } })).status).toBe(
        400,
      )
    }
  })

  test('that is missing rejects only the spans of that resource', async () => {
    const project = freshProject(client)
    const homeless = [spanOf({ name: 'one' }), { ...spanOf({ name: 'two' }), traceId: 'ab' }]
    const body = exportOf(groupOf(homeless), groupOf([spanOf()], resourceOf(project, 'ext')))
    const sent = await send(client, body, encoding)
    expect(sent).toMatchObject({ status: 200, rejected: 2 })
    for (const { name, spanId } of homeless)
      expect(sent.message).toMatch(new RegExp(`Span "${name}".*${spanId}.*project_id`))
    expect(await project.query()).toHaveLength(1)
  })

  test('is authorized per resource', async () => {
    const outside = freshProject(client)
    const inside = { entity: 'narrow', name: `p-${crypto.randomUUID()}` }
    const foreign = groupOf([spanOf()], resourceOf(outside, 'ext'))
    const own = groupOf([spanOf()], resourceOf(inside, 'ext'))
    expect((await send(client, exportOf(foreign), encoding, { key: narrow })).status).toBe(403)
    const both = await send(client, exportOf(foreign, own), encoding, { key: narrow })
    expect(both).toMatchObject({ status: 200, rejected: 1 })
    expect(both.message).toContain('no access')
    expect(await outside.query()).toHaveLength(0)
    const stored = await client.post('/calls/query_stats', { project_id: `${inside.entity}/${inside.name}` })
    expect(stored.json).toMatchObject({ count: 1 })
  })

  test('requires write access', async () => {
    const project = freshProject(client)
    const body = exportOf(groupOf([spanOf()]))
    const refused = await send(client, body, encoding, { key: reader, headers: { project_id: project.id } })
    expect(refused.status).toBe(403)
    if (encoding === 'protobuf') expect(codecs['Refusal']!.decode(refused.answer.bytes)['code']).toBe(7)
    expect((await send(client, body, encoding, { key: null, headers: { project_id: project.id } })).status).toBe(401)
    expect(await project.query()).toHaveLength(0)
  })
})
