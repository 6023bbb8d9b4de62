import { expect, test } from 'bun:test'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Uses {
  readonly objects: unknown[]
  readonly versions: unknown[]
  readonly is_cut: boolean
}

const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' }
const ask = (project_id: string, more: Record<string, unknown> = {}) =>
  server.post<Uses>('/objs/uses', { project_id, ...range, ...more })

/** A project with calls that use two prompts, and some that are not to be counted. */
async function usedPrompts() {
  const project = freshProject(server)
  const ref = (rest: string, of = project.id) => `ext:///${of}/object/${rest}`
  const call = (id: string, inputs: Record<string, unknown>, more: object = {}) => ({
    id,
    inputs,
    attributes: {},
    output: 1,
    summary: {},
    started_at: '2026-03-01T12:00:00Z',
    ended_at: '2026-03-01T12:00:01Z',
    ...more,
  })
  await project.add(
    // Several refs to a version, or to two versions, in one call.
    call('a', { prompt: ref('refunds:d1'), text: ref('refunds:d1/attr/text') }),
    call('b', { prompt: ref('refunds:d1'), before: ref('refunds:d2') }, { exception: 'RateLimit' }),
    call('c', { prompt: `weave:///${project.id}/object/refunds:d2` }),
    call('d', { prompt: ref('%E8%A6%81%E7%B4%84:d3'), op: `ext:///${project.id}/op/refunds:d9` }),
    call('e', { prompt: ref('要約:d3') }),
    call('other-project', { prompt: ref('refunds:d1', 'someone/else') }),
    call('before', { prompt: ref('refunds:d1') }, { started_at: '2026-02-28T23:59:59.999999Z' }),
    call('after', { prompt: ref('refunds:d1') }, { started_at: range.end, ended_at: '2026-03-02T00:00:01Z' }),
    call('none', { text: 'no ref' }),
  )
  return project
}

test('counts calls and errors by object and by version', async () => {
  const project = await usedPrompts()
  const { json } = await ask(project.id)
  expect(json).toEqual({
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-02T00:00:00Z',
    objects: [
      { object_id: 'refunds', calls: 3, errors: 1 },
      { object_id: '要約', calls: 2, errors: 0 },
    ],
    versions: [
      { object_id: 'refunds', digest: 'd1', calls: 2, errors: 1 },
      { object_id: 'refunds', digest: 'd2', calls: 2, errors: 1 },
      { object_id: '要約', digest: 'd3', calls: 2, errors: 0 },
    ],
    is_cut: false,
  } as never)
  await server.post('/flush', {})
  expect((await ask(project.id)).json).toEqual(json)
})

test('counts named objects only, and none of a project without calls', async () => {
  const project = await usedPrompts()
  const { json } = await ask(project.id, { object_ids: ['要約', 'unknown'] })
  expect(json.objects).toEqual([{ object_id: '要約', calls: 2, errors: 0 }])
  expect(json.versions).toEqual([{ object_id: '要約', digest: 'd3', calls: 2, errors: 0 }])
  expect((await ask(project.id, { object_ids: [] })).json).toMatchObject({ objects: [], versions: [] })
  expect((await ask(freshProject(server).id)).json).toMatchObject({ objects: [], versions: [], is_cut: false })
})

test('refuses ranges that are reversed, too long or no times, and too many names', async () => {
  const { id } = freshProject(server)
  expectRefusal(await ask(id, { end: '2026-02-01T00:00:00Z' }), 400, '`end` is before `start`')
  expectRefusal(await ask(id, { end: '2026-05-01T00:00:00Z' }), 400, '31 days')
  expectInvalid(await ask(id, { start: {} }), ['body', 'start'])
  expectInvalid(await ask(id, { object_ids: Array.from({ length: 1001 }, String) }), ['body', 'object_ids'])
})
