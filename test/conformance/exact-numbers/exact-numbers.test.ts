import { afterAll, describe, expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { Agent } from '../mcp/agent.ts'
import { LiveListener } from '../support/live.ts'
import { expectInvalid } from '../support/refusals.ts'
import { Rules } from '../support/rules.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { callCases } from './call-cases.ts'
import { type Case, send } from './case.ts'
import { evaluationCases } from './evaluation-cases.ts'
import { exactObject, lostIn, shown, textOf } from './exact-json.ts'
import { freeMembersOf } from './free-members.ts'
import { otherCases } from './other-cases.ts'
import { recordCases } from './record-cases.ts'

const stub = startStubModel({ port: 0, answers: {} })
afterAll(() => stub.stop())
const { client } = await ownServer({
  env: { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url, TRACELAKE_PRIVATE_HOSTS: '127.0.0.1' },
})
const cases: Readonly<Record<string, Case>> = { ...callCases, ...recordCases, ...evaluationCases, ...otherCases }

/** Members that may be any JSON by their description, but are no JSON of the user that is kept. */
const notKept: readonly { readonly member: RegExp; readonly because: string }[] = [
  { member: /^\S+ \S+$/, because: 'the operation has no members' },
  { member: / (?:filters\.\[\]\.)?query$/, because: 'a query is compared; those of rules have a test of their own' },
  { member: / after\.\[\]$/, because: 'a cursor says where a page begins' },
  { member: / inputs\.(?:timeout|api_version|extra_headers)$/, because: 'they are settings of the request' },
  { member: / (?:group_filters\.\[\]\.measure|measures\.\[\])\.filter$/, because: 'it is a condition' },
  { member: / (?:group|insight|signal)_(?:filters|distributions)(?:\.\[\])?$/, because: 'they are conditions' },
]

/** Members that are passed on although the description does not name them. */
const unnamed = / inputs\.\*$/

test('every free member of every operation has a case, and every case a free member', async () => {
  const { json } = await client.get('/openapi.json')
  const described = freeMembersOf(json).filter((name) => !notKept.some(({ member }) => member.test(name)))
  const tested = Object.entries(cases).flatMap(([operation, { members }]) =>
    members.map((member) => `${operation} ${member}`.trimEnd()),
  )
  expect({ without: described.filter((name) => !tested.includes(name)) }).toEqual({ without: [] })
  const known = new Set(freeMembersOf(json))
  expect({ gone: tested.filter((name) => !unnamed.test(name) && !known.has(name)) }).toEqual({ gone: [] })
})

describe('numbers in free members are read as they were sent', () => {
  test.each(Object.keys(cases))('%s', async (operation) => {
    const places = await cases[operation]!.run(freshProject(client), { providerRequests: stub.requests })
    expect(places.length).toBeGreaterThan(0)
    expect({ lost: lostIn(places) }).toEqual({ lost: [] })
  })

  test('the query of a rule, when it is created and when it is changed', async () => {
    const rules = new Rules(freshProject(client))
    const numbers = ['1.0', '1e2', '-0.0', '12345678901234567890', '0.1000']
    const queryOf = (field: string) =>
      `{"$expr":{"$or":[${numbers.map((one) => `{"$eq":[{"$getField":"${field}"},{"$literal":${one}}]}`).join()}]}}`
    const bodyOf = (query: string) =>
      `{"project_id":"${rules.project.id}","name":"rule","action":{"kind":"forward","url":"http://127.0.0.1:9"},` +
      `"is_paused":true,"query":${query}}`
    const headers = { 'content-type': 'application/json' }
    const [first, second] = [queryOf('output.a'), queryOf('output.b')]
    const created = textOf(await client.send('POST', '/rules', bodyOf(first), { headers }))
    expect(created).toContain(first)
    const { rule } = JSON.parse(created) as { rule: { id: string } }
    const updated = textOf(await client.send('PUT', `/rules/${rule.id}`, bodyOf(second), { headers }))
    for (const text of [updated, textOf(await rules.read(rule.id)), textOf(await rules.list())])
      expect(text).toContain(second)
  })

  test.each([
    ['/call/start', '{"start":{"project_id":"P","op_name":"a","started_at":1,"attributes":{},"inputs":1.0}}', 'inputs'],
    ['/feedback/create', '{"project_id":"P","ext_ref":"ext:///P/call/a","feedback_type":"a","payload":1.0}', 'payload'],
  ])('%s refuses a number in place of an object', async (path, body, member) => {
    const answer = await client.postRaw(path, body.replaceAll('P', freshProject(client).id))
    const place = path === '/call/start' ? ['body', 'start', member] : ['body', member]
    expectInvalid(answer, place)
  })

  test('a live tail takes a query with numbers of any spelling', async () => {
    const query = '{"$expr":{"$gt":[{"$getField":"inputs.n"},{"$literal":1.0}]}}'
    const project = freshProject(client)
    const listener = await LiveListener.connect(project, { query })
    await project.start({ id: 'small', inputs: { n: 0.5 } })
    await project.start({ id: 'large', inputs: { n: 12345 } })
    expect(await listener.take(1)).toEqual(['start large'])
    await listener.close()
  })

  test('a page follows a row with a number of any spelling', async () => {
    const project = freshProject(client)
    const calls = ['1.0', '1.00', '12345678901234567890', '12345678901234567891'].map(
      (n, at) =>
        `{"id":"c${at}","trace_id":"t","op_name":"a","started_at":1,"ended_at":2,"attributes":{},"summary":{},` +
        `"inputs":{"n":${n}}}`,
    )
    textOf(await client.postRaw(project.v2('calls/complete'), `{"batch":[${calls.join()}]}`))
    const asked = `{"project_id":"${project.id}","sort_by":[{"field":"inputs.n","direction":"asc"}],"columns":["id"]`
    const idsAfter = async (n: string, id: string) => {
      const text = textOf(await client.postRaw('/calls/stream_query', `${asked},"after":[${n},"${id}"]}`))
      return [...text.matchAll(/"id":"(c\d)"/g)].map(([, found]) => found)
    }
    const all = [...textOf(await client.postRaw('/calls/stream_query', `${asked}}`)).matchAll(/"id":"(c\d)"/g)]
    const order = all.map(([, found]) => found!)
    const numbers = new Map([...calls.entries()].map(([at, text]) => [`c${at}`, /"n":([^}]+)/.exec(text)![1]!]))
    for (const [at, id] of order.entries()) expect(await idsAfter(numbers.get(id)!, id)).toEqual(order.slice(at + 1))
  })

  test('arguments of a tool for agents, and the rows that it makes of a call', async () => {
    const project = freshProject(client)
    const call = { id: 'a', trace_id: 't', op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {} }
    const end = { ended_at: '2026-01-01T00:00:01Z', summary: {} }
    const given = JSON.stringify({ ...call, ...end }).slice(0, -1)
    const text = `{"batch":[${given},"inputs":${exactObject('inputs')},"output":${exactObject('output')}}]}`
    textOf(await client.postRaw(project.v2('calls/complete'), text))
    const args = `{"call_id":"a","type":"custom","payload":${exactObject('payload')}}`
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_feedback","arguments":${args}}}`
    const accept = 'application/json, text/event-stream'
    textOf(await client.postRaw(`/mcp?project=${project.id}`, message, { headers: { accept } }))
    const agent = await Agent.connect(client.address, client.key, project.id)
    const added = await agent.call('add_to_dataset', { dataset: 'set', call_ids: ['a'] })
    expect(added).toMatchObject({ isError: false })
    const values = await Promise.all(
      ['inputs', 'output'].map(async (path) => (await agent.call('get_call', { call_id: 'a', path })).text),
    )
    await agent.close()
    const dataset = await send(client, '/obj/read', { project_id: project.id, object_id: 'set', digest: 'latest' })
    const digest = /object\/[^"]*|table\/(\w+)/.exec(dataset)![1]
    const feedback = await send(client, '/feedback/query', { project_id: project.id })
    const rows = await send(client, '/table/query', { project_id: project.id, digest })
    const places = [
      ...shown(['payload'], { 'feedback/query': feedback }),
      ...shown(['inputs'], { get_call: values[0]! }),
      ...shown(['output'], { get_call: values[1]! }),
      ...shown(['inputs', 'output'], { 'table/query': rows }),
    ]
    expect({ lost: lostIn(places) }).toEqual({ lost: [] })
  })
})
