import { expect, test } from 'bun:test'
import { upload } from '../support/files.ts'
import { ProjectObjects } from '../support/objects.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid } from '../support/refusals.ts'
import { Tables } from '../support/tables.ts'
import { freshProject, ownServer } from '../support/target.ts'

const { client } = await ownServer()

interface Erasure {
  id: string
  project_id: string
  state: string
  rows: number | null
  files_left: number | null
  finished_at: string | null
  gone_at: string | null
}

/** Erases a project, and waits for the end. */
async function erase({ id: project_id }: Project): Promise<Erasure> {
  const begun = await client.post<Erasure>('/projects/erase', { project_id })
  expect(begun.json).toMatchObject({ project_id, error: null })
  for (;;) {
    const { json } = await client.post<{ erasures: Erasure[] }>('/erasures/query', { project_id })
    expect(json.erasures[0]!.id).toBe(begun.json.id)
    if (json.erasures[0]!.state !== 'running') return json.erasures[0]!
    await Bun.sleep(100)
  }
}

const fill = async (project: Project) => {
  await project.complete({ id: 'a', inputs: {}, attributes: {}, output: 'x', summary: {} })
  await new ProjectObjects(client, project.id).create('thing', { n: 1 })
  await new Tables(project).create([{ a: 1 }])
  await upload(project, { content: 'hello' })
  const ref = `ext:///${project.id}/call/a`
  const note = { project_id: project.id, ext_ref: ref, feedback_type: 'note', payload: { note: 'fine' } }
  await client.post('/feedback/create', note)
}

/** How much there is of each kind. */
async function countsOf(project: Project) {
  const project_id = project.id
  const count = async (path: string, body: object = {}) => await client.post(path, { project_id, ...body })
  return {
    calls: (await project.query()).length,
    objects: (await count('/objs/query')).json,
    files: (await count('/files/query_stats')).json,
    feedback: (await count('/feedback/query')).json,
    call: (await count('/call/read', { id: 'a' })).json,
  }
}

test('an erased project is empty, and can be used anew', async () => {
  const [project, other] = [freshProject(client), freshProject(client)]
  for (const each of [project, other]) await fill(each)
  await client.post('/flush', {})
  await project.complete({ id: 'in-memory', inputs: {}, attributes: {}, output: null, summary: {} })
  await client.post('/retention/set', { project_id: project.id, retention_days: 7 })
  const before = await countsOf(other)
  const erased = await erase(project)
  expect(erased).toMatchObject({ state: 'completed', files_left: 0 })
  expect(erased.rows).toBeGreaterThanOrEqual(6)
  expect(Date.parse(erased.gone_at!)).toBeGreaterThan(Date.parse(erased.finished_at!))
  expect(await countsOf(project)).toMatchObject({
    calls: 0,
    objects: { objs: [] },
    files: { total_size_bytes: 0 },
    feedback: { result: [] },
    call: { call: null },
  })
  expect(await countsOf(other)).toEqual(before)
  const { json } = await client.post('/retention/read', { project_id: project.id })
  expect(json).toMatchObject({ retention_days: null })
  const { projects } = (await client.post<{ projects: object[] }>('/projects/query', {})).json
  expect(projects).not.toContainEqual(expect.objectContaining({ project_id: project.id }))
  await fill(project)
  expect((await countsOf(project)).calls).toBe(1)
})

test('erasing a project that does not exist is harmless', async () => {
  expect(await erase(freshProject(client))).toMatchObject({ state: 'completed', rows: 0 })
  expectInvalid(await client.post('/projects/erase', { project_id: 'acme' }), ['body', 'project_id'])
})

test('erasing a project twice at the same time is one erasure', async () => {
  const project = freshProject(client)
  await fill(project)
  const project_id = project.id
  const begun = await Promise.all([1, 2, 3].map(() => client.post<Erasure>('/projects/erase', { project_id })))
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200])
  const query = async () =>
    (await client.post<{ erasures: Erasure[] }>('/erasures/query', { project_id })).json.erasures
  while ((await query()).some(({ state }) => state === 'running')) await Bun.sleep(100)
  expect((await query()).map(({ id, state }) => [id, state])).toEqual([[begun[0]!.json.id, 'completed']])
  await fill(project)
  expect((await countsOf(project)).calls).toBe(1)
}, 120_000)
