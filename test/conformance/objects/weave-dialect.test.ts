import { describe, expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { freshProject, ownServer } from '../support/target.ts'

const { client } = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })

describe('objects in the weave dialect', () => {
  test('renames the members of a version and leaves its content unchanged', async () => {
    const objects = new ProjectObjects(client)
    const val = {
      wb_user_id: 1,
      ext_user_id: 2,
      weave_ref: 3,
      summary: { weave: 4, ext: 5 },
      wb_run_ids: [{ ext_ref: 6 }],
    }
    const digest = await objects.create('a', val, { wb_user_id: 'somebody' })
    for (const obj of [await objects.read('a'), (await objects.query())[0]!]) {
      expect(obj.val).toEqual(val)
      expect(Object.keys(obj)).toContain('wb_user_id')
      expect(Object.keys(obj)).not.toContain('ext_user_id')
    }
    const ext = new ProjectObjects((await ownServer()).client)
    expect(await ext.create('a', val)).toBe(digest)
  })

  test('weave refs are digested with the weave internal scheme', async () => {
    const objects = new ProjectObjects(client)
    const internal = btoa(objects.projectId).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const val = { at: `weave:///${objects.projectId}/object/x:y` }
    const expected = await objects.create('other', { at: `weave-trace-internal:///${internal}/object/x:y` })
    expect(await objects.create('a', val, { expected_digest: expected })).toBe(expected)
    expect((await objects.read('a')).val).toEqual(val)
  })

  test('versions, tags and aliases', async () => {
    const objects = new ProjectObjects(client)
    const [first] = (await objects.createAll(
      'a',
      { _type: 'CustomWeaveType', weave_type: { type: 'Op' } },
      { _type: 'Op' },
    )) as [string]
    await objects.addTags('a', first, 't')
    await objects.setAliases('a', first, 'prod')
    expect(await objects.labels('a')).toEqual([
      [['t'], ['prod']],
      [[], ['latest']],
    ])
    expect((await objects.read('a', 'prod')).kind).toBe('op')
    expect(await objects.delete('a')).toBe(2)
    expect([await objects.tags(), await objects.aliases()]).toEqual([[], []])
  })

  test('expand_columns follows weave refs', async () => {
    const project = freshProject(client)
    const objects = new ProjectObjects(client, project.id)
    const ref = `weave:///${project.id}/object/m:${await objects.create('m', { size: 5 })}`
    await project.client.post('/call/start', {
      start: {
        project_id: project.id,
        id: 'a',
        trace_id: 't',
        op_name: 'op',
        started_at: '2026-01-02T03:04:05Z',
        attributes: {},
        inputs: { m: ref },
      },
    })
    const query = { $expr: { $eq: [{ $getField: 'inputs.m.size' }, { $literal: 5 }] } }
    const [call] = await project.query({ query, expand_columns: ['inputs.m'] })
    expect(call!.inputs).toEqual({ m: { size: 5, _ref: ref } })
  })
})
