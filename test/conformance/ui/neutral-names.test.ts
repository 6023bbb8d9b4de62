import { beforeAll, describe, expect, test } from 'bun:test'
import { endOf, startOf } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { Browser } from './browser.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const { client, adminKey } = server

let project: Project
let page: Browser
beforeAll(async () => {
  project = freshProject(client)
  const start = { ...startOf(project.id, { id: 'a' }), wb_run_step: 1 }
  await client.post('/call/start', { start })
  await client.post('/call/end', { end: endOf(project.id, { id: 'a' }) })
  const call = `weave:///${project.id}/call/a`
  const emoji = { project_id: project.id, weave_ref: call, feedback_type: 'wandb.reaction.1', payload: { emoji: '🙂' } }
  expect((await client.post('/feedback/create', emoji)).status).toBe(200)
  const object = { project_id: project.id, object_id: 'thing', val: { a: 1 } }
  expect((await client.post('/obj/create', { obj: object })).status).toBe(200)
  page = await new Browser(client.address).logIn(adminKey)
})

describe('the UI speaks neutral names to a server in the weave dialect:', () => {
  const ask = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const response = await page.post(`/ui/api${path}`, { project_id: project.id, ...body })
    const text = await response.text()
    expect(`${response.status} ${text}`).toStartWith('200 ')
    expect(text).not.toContain('"wb_')
    return text
  }

  test('the session tells the dialect of the public API', async () => {
    expect(await (await page.get('/ui/session')).json()).toMatchObject({ dialect: 'weave' })
  })

  test('calls', async () => {
    for (const text of [
      await ask('/call/read', { id: 'a' }),
      await ask('/calls/stream_query', { query: { $expr: { $eq: [{ $getField: 'ext_run_step' }, { $literal: 1 }] } } }),
      await ask('/calls/query', { columns: ['id', 'ext_run_step', 'ext_user_id', 'summary'] }),
    ]) {
      expect(text).toContain('"ext_run_step":1')
      expect(text).toContain('"ext_user_id":"admin"')
      expect(text).toContain('"ext":{"status":"success"')
    }
  })

  test('fields, values and searches of calls', async () => {
    expect(await ask('/calls/fields', { prefix: 'summary.ext.st' })).toContain('"path":"summary.ext.status"')
    expect(await ask('/calls/fields', { prefix: 'ext_run_step' })).toContain('"path":"ext_run_step"')
    expect(await ask('/calls/values', { path: 'ext_run_step' })).toContain('{"value":1,"count":1}')
    expect(await ask('/calls/search', { text: 'answer' })).toContain('"path":"op_name"')
    const range = { start: '2024-05-01T00:00:00Z', end: '2024-05-02T00:00:00Z' }
    const grouped = { call_metrics: [{ metric: 'call_count' }], group_by: 'summary.ext.status' }
    expect(await ask('/calls/stats', { ...range, ...grouped })).toContain('"group":"success"')
    expect(await ask('/projects/query', {})).toContain(`"project_id":"${project.id}"`)
  })

  test('feedback', async () => {
    const text = await ask('/feedback/query', {})
    expect(text).toContain('"feedback_type":"ext.reaction.1"')
    expect(text).toContain('"ext_ref":')
    const withFeedback = await ask('/calls/stream_query', { include_feedback: true })
    expect(withFeedback).toContain('"ext_ref":')
  })

  test('objects', async () => {
    const text = await ask('/objs/query', {})
    expect(text).toContain('"ext_user_id":"admin"')
    expect(await ask('/obj/read', { object_id: 'thing', digest: 'latest' })).toContain('"ext_user_id"')
  })

  test('live calls', async () => {
    const response = await page.get(`/ui/api/calls/live?project_id=${encodeURIComponent(project.id)}`)
    const reader = response.body!.getReader()
    await client.post('/call/start', { start: startOf(project.id, { id: `b-${crypto.randomUUID()}` }) })
    let text = ''
    while (!/event: start[\s\S]*\n\n/.test(text)) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(text).toContain('"ext_user_id"')
    expect(text).not.toContain('"wb_')
  })

  test('writes, which the public API returns in its own', async () => {
    const created = await ask('/feedback/create', {
      ext_ref: `ext:///${project.id}/call/a`,
      feedback_type: 'ext.note.1',
      payload: { note: 'good' },
    })
    const { id } = JSON.parse(created)
    const rows = await client.post<{ result: Record<string, unknown>[] }>('/feedback/query', {
      project_id: project.id,
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } },
    })
    expect(rows.json.result[0]).toMatchObject({ feedback_type: 'wandb.note.1' })
    expect(rows.json.result[0]).toHaveProperty('weave_ref')
  })

  test('errors', async () => {
    const response = await page.post('/ui/api/feedback/create', { project_id: project.id })
    const text = await response.text()
    expect([response.status, text.includes('ext_ref'), text.includes('weave_ref')]).toEqual([422, true, false])
  })
})
