import { expect, test } from 'bun:test'
import { createObject } from '../support/evaluation-engine.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const alternatives = Array.from({ length: 40 }, (_, i) => `(a|b){1,${900 + i}}c`).join('|')
const slowPattern = `(?:${alternatives})$`
const slowText = `c${'ab'.repeat(6_000)}`

async function scored(project: Project, count: number) {
  for (let tries = 0; tries < 600; tries++) {
    const calls = await project.query({ filter: { op_names: ['slow.score', 'quick.score'] } })
    if (calls.length === count) return calls
    await Bun.sleep(100)
  }
  throw new Error(`There are not ${count} scores after a minute`)
}

test('a slow regular expression is stopped, without blocking other requests or later outputs', async () => {
  const project = freshProject(server)
  await project.start({ id: 'call' })
  await project.end({ id: 'call', output: slowText })
  const slow = await createObject(project, 'slow', 'RegexScorer', { pattern: slowPattern })
  const quick = await createObject(project, 'quick', 'RegexScorer', { pattern: '^ca' })
  const asked = { project_id: project.id, call_ids: ['call'], scorer_refs: [slow, quick] }
  expect((await server.post('/calls/score', asked)).status).toBe(200)
  expect((await server.get('/server_info')).status).toBe(200)
  const [first, second] = (await scored(project, 2)).sort((a, b) => b.op_name.localeCompare(a.op_name))
  expect(first).toMatchObject({
    op_name: 'slow.score',
    exception: expect.stringContaining('timed out after 5 seconds'),
  })
  expect(second).toMatchObject({ op_name: 'quick.score', output: { match: true } })
}, 120_000)

test('a slow annotation schema is rejected, and the next one is accepted', async () => {
  const project = freshProject(server)
  // Some 20 times what the limit allows, so that it is too slow on a fast machine as well.
  const words = Array.from({ length: 40 }, (_, i) => `${i * 37}`).join('|')
  const patternProperties = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`^(${words}){1,${900 + (i % 100)}}x${i}$`, { type: 'string' }]),
  )
  const create = (field_schema: object) =>
    server.post('/obj/create', {
      obj: {
        project_id: project.id,
        object_id: 'stars',
        builtin_object_class: 'AnnotationSpec',
        val: { name: 'stars', field_schema },
      },
    })
  const refused = await create({ type: 'object', patternProperties })
  expect(refused.status).toBeWithin(400, 423)
  expect(refused.text).toContain('takes too long')
  expect((await create({ type: 'integer' })).status).toBe(200)
}, 120_000)
