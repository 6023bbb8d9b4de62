import { describe, expect, test } from 'bun:test'
import { type CallDraft, endOf, startOf } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const { client } = server

type VendorRecord = Record<string, unknown> & { summary: { weave: Record<string, unknown> } }

async function startAs(project: Project, draft: CallDraft, vendor: Record<string, unknown> = {}): Promise<void> {
  const answer = await client.post('/call/start', { start: { ...startOf(project.id, draft), ...vendor } })
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
}

async function readAs(project: Project, id: string): Promise<VendorRecord> {
  return (await client.post<{ call: VendorRecord }>('/call/read', { project_id: project.id, id })).json.call
}

describe('the weave dialect', () => {
  test('accepts and returns members with the wb_ prefix', async () => {
    const project = freshProject(client)
    const run = `${project.id}/run-1`
    await startAs(project, { id: 'a' }, { wb_run_id: run, wb_run_step: 1, wb_user_id: 'somebody-else' })
    await client.post('/call/end', { end: { ...endOf(project.id, { id: 'a' }), wb_run_step_end: 2 } })
    const call = await readAs(project, 'a')
    expect(call).toMatchObject({ wb_run_id: run, wb_run_step: 1, wb_run_step_end: 2 })
    expect(call['wb_user_id']).toBeString()
    expect(call['wb_user_id']).not.toBe('somebody-else')
    expect(Object.keys(call).filter((member) => member.startsWith('ext_'))).toEqual([])
  })

  test.each([
    ['mode first', (req: unknown, mode: string) => ({ mode, req })],
    ['mode last', (req: unknown, mode: string) => ({ req, mode })],
    ['no mode', (req: unknown) => ({ req })],
  ])('accepts them in batches too: %s', async (_, item) => {
    const project = freshProject(client)
    const start = { ...startOf(project.id, { id: 'a' }), wb_run_step: 1 }
    const end = { ...endOf(project.id, { id: 'a' }), wb_run_step_end: 2 }
    const batch = [item({ start }, 'start'), item({ end }, 'end')]
    expect((await client.post('/call/upsert_batch', { batch })).status).toBe(200)
    expect(await readAs(project, 'a')).toMatchObject({ wb_run_step: 1, wb_run_step_end: 2 })
  })

  test('reports errors in a batch with weave names', async () => {
    const project = freshProject(client)
    const half = (more: Record<string, unknown>) => ({ req: { end: { ...endOf(project.id, { id: 'a' }), ...more } } })
    const wrongType = await client.post('/call/upsert_batch', { batch: [half({ wb_run_step_end: 'x' })] })
    expectInvalid(wrongType, ['body', 'batch', '0', 'req', 'end', 'wb_run_step_end'])
    const wrongValue = await client.post('/call/upsert_batch', { batch: [half({}), half({ wb_run_step_end: -1 })] })
    expectInvalid(wrongValue, ['body', 'batch', '1'])
    expect(wrongValue.text).toContain('wb_run_step_end')
  })

  test('names the server’s part of the summary summary.weave', async () => {
    const project = freshProject(client)
    await project.add({ id: 'a', summary: { weave: { status: 'invented' }, note: 'n' } })
    const { summary } = await readAs(project, 'a')
    expect(summary).toEqual({
      note: 'n',
      weave: { status: 'success', latency_ms: 1000, trace_name: 'answer' },
    } as VendorRecord['summary'])
  })

  test('returns the same from a query as from a read', async () => {
    const project = freshProject(client)
    await project.add({ id: 'a' })
    const [line] = await project.query()
    expect(line as unknown).toEqual(await readAs(project, 'a'))
    expect((await project.ask({}, 'application/json')).json).toEqual({ calls: [line] })
  })

  test('does not change free JSON', async () => {
    const project = freshProject(client)
    const free = { ext_user_id: 1, wb_user_id: 2, ext: { status: 3 }, weave: { status: 4 }, wb_run_id: 'x' }
    await project.add({ id: 'a', inputs: free, attributes: free, output: free })
    expect(await readAs(project, 'a')).toMatchObject({ inputs: free, attributes: free, output: free })
    expect(Object.keys((await readAs(project, 'a'))['inputs'] as object)).toEqual(Object.keys(free))
  })

  test('returns refs as sent', async () => {
    const project = freshProject(client)
    const ref = `weave:///${project.id}/object/prompt:${'a'.repeat(43)}`
    const op_name = `weave:///${project.id}/op/my-op:${'b'.repeat(43)}`
    await project.add({ id: 'a', op_name, inputs: { ref }, output: ref })
    const call = await readAs(project, 'a')
    expect(call).toMatchObject({ op_name, inputs: { ref }, output: ref })
    expect(call.summary.weave['trace_name']).toBe('my-op')
  })

  test('filters by refs of its scheme', async () => {
    const project = freshProject(client)
    const prompt = `weave:///${project.id}/object/prompt`
    const op = `weave:///${project.id}/op/my-op`
    await project.add({ id: 'a', op_name: `${op}:v1`, inputs: { p: `${prompt}:${'a'.repeat(43)}` } }, { id: 'b' })
    expect(await project.idsOf({ filter: { op_names: [`${op}:*`] } })).toEqual(['a'])
    expect(await project.idsOf({ filter: { op_names: [`${op}:v1`] } })).toEqual(['a'])
    expect(await project.idsOf({ filter: { input_refs: [`${prompt}:${'a'.repeat(43)}`] } })).toEqual(['a'])
    expect(await project.idsOf({ filter: { input_refs: [`${prompt}:*`] } })).toEqual(['a'])
  })

  test('filters by weave members', async () => {
    const project = freshProject(client)
    await startAs(project, { id: 'a' }, { wb_run_id: `${project.id}/run-1` })
    await startAs(project, { id: 'b' })
    const { wb_user_id } = await readAs(project, 'a')
    expect(await project.idsOf({ filter: { wb_run_ids: ['run-1'] } })).toEqual(['a'])
    expect(await project.idsOf({ filter: { wb_user_ids: [wb_user_id] } })).toEqual(['a', 'b'])
    expect(await project.idsOf({ filter: { wb_user_ids: ['nobody'] } })).toEqual([])
  })

  test.each(['summary.weave.status', 'summary.ext.status'])('sorts by %s', async (field) => {
    const project = freshProject(client)
    await project.add({ id: 'success' }, { id: 'running', ended_at: null }, { id: 'error', exception: 'E' })
    const ids = await project.idsOf({ sort_by: [{ field, direction: 'asc' }] })
    expect(ids).toEqual(['error', 'running', 'success'])
  })

  test('sorts by weave members', async () => {
    const project = freshProject(client)
    await startAs(project, { id: 'a' }, { wb_run_step: 1 })
    await startAs(project, { id: 'b' }, { wb_run_step: 2 })
    expect(await project.idsOf({ sort_by: [{ field: 'wb_run_step', direction: 'desc' }] })).toEqual(['b', 'a'])
  })

  test('uses weave column names', async () => {
    const project = freshProject(client)
    await startAs(project, { id: 'a' }, { wb_run_step: 7 })
    const columns = ['id', 'wb_run_step', 'summary.weave.status']
    const answer = await project.ask({ columns }, 'text/csv')
    expect(answer.text).toBe('id,wb_run_step,summary.weave.status\r\na,7,running\r\n')
  })

  test('returns user names in the weave member', async () => {
    const project = freshProject(client)
    await project.start({ id: 'a' })
    const [call] = await project.query({ include_usernames: true })
    expect(call).toHaveProperty('wb_username')
  })

  test('uses weave names in validation errors', async () => {
    const project = freshProject(client)
    const wrongStep = { ...startOf(project.id), wb_run_step: 'one' }
    expectInvalid(await client.post('/call/start', { start: wrongStep }), ['body', 'start', 'wb_run_step'])
    const answer = await project.ask({ sort_by: [{ field: 'wb_run_stp', direction: 'asc' }] })
    expectRefusal(answer, 422, 'wb_run_stp', 'wb_run_step')
  })

  test('uses weave names in error messages', async () => {
    const { id: project_id } = freshProject(client)
    const start = { ...startOf(project_id), wb_run_step: -1 }
    expectRefusal(await client.post('/call/start', { start }), 400, '`wb_run_step`', 'not -1')
    const ask = (request: Record<string, unknown>) => client.post('/calls/stream_query', { project_id, ...request })
    expectRefusal(await ask({ columns: ['wb_runid'] }), 422, '"wb_runid"', 'did you mean "wb_run_id"')
    expectRefusal(await ask({ filter: { wb_run_id: ['a'] } }), 422, 'did you mean "wb_run_ids"')
    const field = { $getField: 'wb_runid' }
    expectRefusal(await ask({ query: { $expr: { $eq: [field, { $literal: 1 }] } } }), 422, 'did you mean "wb_run_id"')
    const feedback = { project_id, weave_ref: 'weave:///a/b/call/c', feedback_type: 'wandb.note.1', payload: {} }
    expectRefusal(await client.post('/feedback/create', feedback), 400, '"wandb.note.1"')
    expectRefusal(await client.post('/feedback/create', { ...feedback, weave_ref: '' }), 400, 'weave_ref')
  })

  test('uses the weave name of the client version', async () => {
    const answer = await client.get('/server_info')
    expect(answer.json).toHaveProperty('min_required_weave_python_version')
    expect(answer.json).not.toHaveProperty('min_required_ext_python_version')
  })

  test('is described in its OpenAPI document', async () => {
    const { text } = await client.get('/openapi.json')
    expect(text).toContain('"wb_run_id"')
    expect(text).not.toContain('"ext_run_id"')
  })

  test('does not affect storage: the same folder can be served in the other dialect', async () => {
    const data = await makeTempFolder()
    const first = await startServer({ env: { TRACELAKE_DIALECT: 'weave' }, data })
    const project = freshProject(first.client)
    const start = { ...startOf(project.id, { id: 'a' }), wb_run_step: 7 }
    expect((await first.client.post('/call/start', { start })).status).toBe(200)
    await first.stop()
    const second = await startServer({ env: { TRACELAKE_DIALECT: 'ext' }, data, adminKey: first.adminKey })
    try {
      const answer = await second.client.post('/call/read', { project_id: project.id, id: 'a' })
      expect(answer.json).toMatchObject({ call: { ext_run_step: 7, summary: { ext: { status: 'running' } } } })
    } finally {
      await second.stop()
      await removeFolder(data)
    }
  }, 120_000)
})
