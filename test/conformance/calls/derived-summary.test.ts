import { describe, expect, test } from 'bun:test'
import type { CallDraft } from '../support/call-shapes.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

async function derivedOf(draft: CallDraft): Promise<Record<string, unknown>> {
  const project = freshProject(server)
  await project.add({ id: 'a', ...draft })
  return (await project.readExisting('a')).summary.ext
}

describe('summary.ext', () => {
  test('status is running without an end', async () => {
    expect((await derivedOf({ ended_at: null }))['status']).toBe('running')
  })

  test('status is success after an end', async () => {
    expect((await derivedOf({}))['status']).toBe('success')
  })

  test('status is error with an exception', async () => {
    expect((await derivedOf({ exception: 'ValueError: no' }))['status']).toBe('error')
  })

  test('status is not error with an empty exception', async () => {
    expect((await derivedOf({ exception: '' }))['status']).toBe('success')
  })

  test('status is descendant_error if the summary counts errors', async () => {
    const summary = { status_counts: { success: 2, error: 1 } }
    expect((await derivedOf({ summary }))['status']).toBe('descendant_error')
  })

  test('status is success if the summary counts no errors', async () => {
    const summary = { status_counts: { success: 2, error: 0 } }
    expect((await derivedOf({ summary }))['status']).toBe('success')
  })

  test('an exception of the call overrides errors of descendants', async () => {
    const summary = { status_counts: { error: 1 } }
    expect((await derivedOf({ summary, exception: 'E' }))['status']).toBe('error')
  })

  test('latency_ms is the time from start to end in whole milliseconds', async () => {
    const times = { started_at: '2024-05-01T10:00:00.250Z', ended_at: '2024-05-01T10:00:01.484Z' }
    expect((await derivedOf(times))['latency_ms']).toBe(1234)
  })

  test('latency_ms is absent while the call runs', async () => {
    expect(await derivedOf({ ended_at: null })).not.toHaveProperty('latency_ms')
  })

  test('trace_name is a plain op name unchanged', async () => {
    expect(await derivedOf({ op_name: 'module.answer' })).toMatchObject({ trace_name: 'module.answer' })
  })

  test.each(['ext', 'weave'])('trace_name is the name in an op ref of the scheme %s', async (scheme) => {
    const op_name = `${scheme}:///acme/traces/op/my-op.v2:abcdef0123456789`
    expect(await derivedOf({ op_name })).toMatchObject({ trace_name: 'my-op.v2' })
  })

  test('display_name replaces trace_name if it is set', async () => {
    const derived = await derivedOf({ display_name: 'Named' })
    expect(derived['display_name']).toBe('Named')
    expect(derived).not.toHaveProperty('trace_name')
  })

  test('trace_name comes back when the display name is cleared', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', op_name: 'answer', display_name: 'Named' })
    await project.update('a', '')
    const { ext } = (await project.readExisting('a')).summary
    expect(ext['trace_name']).toBe('answer')
    expect(ext).not.toHaveProperty('display_name')
  })

  test('is computed whatever the client sends in its place', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', summary: { ext: { status: 'error', latency_ms: 9, invented: 1 }, kept: [1] } })
    const { summary } = await project.readExisting('a')
    expect(summary.ext).toEqual({ status: 'success', latency_ms: 1000, trace_name: 'answer' })
    expect(summary['kept']).toEqual([1])
  })

  test.each(['ext', 'weave'])('keeps client-set views in %s next to computed members', async (spelling) => {
    const project = freshProject(server)
    const views = { report: { _type: 'CustomExtType', files: { content: 'abc' } }, '1': '}"{' }
    const summary = { '7': 'kept', [spelling]: { views, status: 'error', invented: 1 }, usage: { m: { requests: 2 } } }
    await project.add({ id: 'a', summary }, { id: 'b', summary: { [spelling]: { views } } })
    await project.add({ id: 'c', summary: { [spelling]: { views: 'none' } } })
    const computed = { status: 'success', latency_ms: 1000, trace_name: 'answer' }
    const sent = { '7': 'kept', usage: { m: { requests: 2 } } }
    const expected = [{ ...sent, ext: { ...computed, views } }, { ext: { ...computed, views } }, { ext: computed }]
    const read = async (id: string) => (await project.readExisting(id)).summary
    expect(await Promise.all(['a', 'b', 'c'].map(read))).toEqual(expected as never)
    const sort_by = [{ field: 'id', direction: 'asc' }]
    expect((await project.query({ sort_by })).map(({ summary }) => summary)).toEqual(expected as never)
    const whole = await project.query({ sort_by, include_costs: true, include_feedback: true })
    expect(whole.map(({ summary }) => summary.ext)).toMatchObject(
      expected.map(({ ext }) => ({ ...ext, feedback: [] })) as never,
    )
    const views2 = await project.query({ sort_by, columns: ['summary.usage'] })
    expect(views2.map(({ summary }) => summary['usage'])).toEqual([sent.usage, undefined, undefined])
  })

  test('is added to what the client sent', async () => {
    const project = freshProject(server)
    const summary = { usage: { m: { input_tokens: 1, requests: 2 } }, status_counts: { success: 1, error: 0 }, own: {} }
    await project.add({ id: 'a', summary })
    const { ext, ...sent } = (await project.readExisting('a')).summary
    expect(sent).toEqual(summary)
    expect(ext['status']).toBe('success')
  })
})
