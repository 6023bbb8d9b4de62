import { describe, expect, test } from 'bun:test'
import { expectRefusal } from './refusals.ts'
import { freshProject, sharedServer } from './target.ts'

const server = await sharedServer()

describe('expand_columns', () => {
  test.each([undefined, null, true, false])('leaves refs that nothing stands behind (values: %p)', async (flag) => {
    const project = freshProject(server)
    const inputs = { model: `ext:///${project.id}/object/model:v1`, n: 1 }
    await project.add({ id: 'a', inputs })
    const request = {
      expand_columns: ['inputs.model', 'inputs.model.x', 'output'],
      return_expanded_column_values: flag,
    }
    const [call] = await project.query(request)
    expect(call!.inputs).toEqual(inputs)
  })

  test('is taken by query_stats', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    expect((await project.stats({ expand_columns: ['inputs.model'] })).count).toBe(1)
  })

  test.each(['/calls/stream_query', '/calls/query_stats'])('names a column that is not there, in %s', async (path) => {
    const { id } = freshProject(server)
    const answer = await server.post(path, { project_id: id, expand_columns: ['input.model'] })
    expectRefusal(answer, 422, 'input.model', 'inputs')
  })

  test('takes 64 columns, and refuses more', async () => {
    const project = freshProject(server)
    const columns = Array.from({ length: 64 }, (_, index) => `inputs.c${index}`)
    expect((await project.ask({ expand_columns: columns })).status).toBe(200)
    expectRefusal(await project.ask({ expand_columns: [...columns, 'output'] }), 400, 'expand_columns', '64')
  })
})
