import { describe, expect, test } from 'bun:test'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('call/read', () => {
  test('returns null for an unknown call', async () => {
    const project = freshProject(server)
    const answer = await server.post('/call/read', { project_id: project.id, id: 'never-sent' })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ call: null })
  })

  test('returns null for a call of another project', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    await one.add({ id: 'a' })
    expect(await other.read('a')).toBeNull()
  })

  test('returns null for a deleted call', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    await project.delete('a')
    expect(await project.read('a')).toBeNull()
  })

  test('returns members without a value as null, except the user name', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a' })
    const call = await project.readExisting('a')
    const empty = [
      'display_name',
      'parent_id',
      'thread_id',
      'turn_id',
      'ended_at',
      'exception',
      'output',
      'ext_run_id',
      'ext_run_step',
      'ext_run_step_end',
      'deleted_at',
      'storage_size_bytes',
      'total_storage_size_bytes',
    ]
    for (const member of empty) expect(call).toHaveProperty(member, null)
    expect(call).not.toHaveProperty('ext_username')
  })

  test('returns the same record as a query', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', trace_id: 't', inputs: { x: [1, { y: null }] }, output: 'z', attributes: { k: 'v' } })
    expect(await project.query({ filter: { call_ids: ['a'] } })).toEqual([await project.readExisting('a')])
  })

  test('responds in JSON', async () => {
    const project = freshProject(server)
    const answer = await server.post('/call/read', { project_id: project.id, id: 'a' })
    expect(answer.headers.get('content-type')).toStartWith('application/json')
  })

  test('accepts null for its flags', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    const flags = { include_costs: null, include_storage_size: null, include_total_storage_size: null }
    const answer = await server.post('/call/read', { project_id: project.id, id: 'a', ...flags })
    expect(answer.json).toMatchObject({ call: { id: 'a', storage_size_bytes: null } })
  })

  test('requires project_id and id', async () => {
    expectInvalid(await server.post('/call/read', {}), ['body', 'project_id'], ['body', 'id'])
  })
})
