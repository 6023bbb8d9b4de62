import { describe, expect, test } from 'bun:test'
import type { Distribution, FeedbackDistributions } from '../../../src/domains/feedback/index.ts'
import { createObject } from '../support/evaluation-engine.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const hourMs = 3_600_000
const now = Math.floor(Date.now() / hourMs) * hourMs
const at = (hours: number) => new Date(now - hours * hourMs).toISOString()
const call = (id: string, hours: number) => ({ id, op_name: 'ask', started_at: at(hours), ended_at: at(hours) })
const range = { start: at(24), end: at(0), granularity: 3_600 }

async function give(project: Project, callId: string, type: string, payload: object, members: object = {}) {
  const body = { project_id: project.id, ext_ref: `ext:///${project.id}/call/${callId}`, feedback_type: type, payload }
  const { status, text } = await project.client.post('/feedback/create', { ...body, ...members })
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
}

const read = (project: Project, members: object = range) =>
  project.client.post<FeedbackDistributions>('/feedback/distributions', { project_id: project.id, ...members })

/** Calls of the range for which a condition holds, as the table of calls counts them. */
async function count(project: Project, ...conditions: object[]): Promise<number> {
  const since = { $gte: [{ $getField: 'started_at' }, { $literal: Date.parse(range.start) / 1_000 }] }
  const until = { $not: [{ $gte: [{ $getField: 'started_at' }, { $literal: Date.parse(range.end) / 1_000 }] }] }
  const query = { $expr: { $and: [since, until, ...conditions] } }
  const { json } = await project.client.post<{ count: number }>('/calls/query_stats', { project_id: project.id, query })
  return json.count
}

const compare = (operator: string, path: string, value: unknown) => ({
  [operator]: [{ $getField: path }, { $literal: value }],
})

/** Every bar equals the count of calls that its filter finds. */
async function expectCounts(project: Project, type: string, { json_path, values, ranges, calls }: Distribution) {
  const path = `feedback.[${type}].payload.${json_path}`
  for (const { value, calls } of values) {
    expect({ value, calls }).toEqual({ value, calls: await count(project, compare('$eq', path, value)) })
  }
  for (const [index, { from, to, calls }] of ranges.entries()) {
    const below = compare(index === ranges.length - 1 ? '$lte' : '$lt', path, to)
    expect({ from, calls }).toEqual({ from, calls: await count(project, compare('$gte', path, from), below) })
  }
  const missing = compare('$eq', path, null)
  expect(calls).toBe(await count(project, { $not: [missing] }))
}

describe('distributions of feedback', () => {
  test('are by type and version of the scorer, and count what filters of calls find', async () => {
    const project = freshProject(server)
    const type = 'ext.runnable.tone'
    const refs = [
      await createObject(project, 'tone', 'ExactMatchScorer', { column_map: { expected: 'a' } }),
      await createObject(project, 'tone', 'ExactMatchScorer', { column_map: { expected: 'b' } }),
    ] as const
    const calls = Array.from({ length: 40 }, (_, index) => call(`c${index}`, 1 + (index % 20)))
    await project.add(...calls, call('old', 48), call('edge', 0))
    for (const [index, { id }] of calls.entries()) {
      // The first version gives one of four marks and a verdict, the second one a share.
      const output = { mark: index % 4, ok: index % 2 === 0 }
      await give(project, id, type, { output }, { runnable_ref: refs[0] })
      if (index < 30) await give(project, id, type, { output: { share: (index * 7) % 30 } }, { runnable_ref: refs[1] })
    }
    // The same call scored twice, and calls outside of the range.
    await give(project, 'c0', type, { output: { mark: 3, ok: false } }, { runnable_ref: refs[0] })
    for (const id of ['old', 'edge', 'none'])
      await give(project, id, type, { output: { mark: 9, ok: true } }, { runnable_ref: refs[0] })
    const { json } = await read(project)
    const versions = refs.map((ref) => ref.split(':').at(-1)!)
    expect(json.groups.map(({ version, calls, entries }) => ({ version, calls, entries }))).toEqual([
      { version: versions[0]!, calls: 40, entries: 41 },
      { version: versions[1]!, calls: 30, entries: 30 },
    ])
    const [mark, ok] = json.groups[0]!.distributions
    expect(mark).toMatchObject({ json_path: 'output.mark', value_type: 'numeric', calls: 40, ranges: [] })
    expect(mark!.values).toEqual([0, 1, 2, 3].map((value) => ({ value, calls: value === 3 ? 11 : 10 })))
    // (10 × (0 + 1 + 2 + 3) + 3) ÷ 41
    expect(mark!.mean).toBeCloseTo(63 / 41, 12)
    expect(ok).toMatchObject({ json_path: 'output.ok', value_type: 'boolean', calls: 40 })
    expect(ok!.mean).toBeCloseTo(20 / 41, 12)
    const [share] = json.groups[1]!.distributions
    expect(share).toMatchObject({ json_path: 'output.share', value_type: 'numeric', calls: 30, values: [] })
    expect(share!.ranges.reduce((sum, { calls }) => sum + calls, 0)).toBe(30)
    expect(share!.ranges[0]!.from).toBe(0)
    for (const [group, { distributions }] of json.groups.entries()) {
      for (const each of distributions) await expectCounts(project, `${type}:${versions[group]}`, each)
    }
    const trend = mark!.trend.map(({ timestamp, calls }) => [Date.parse(timestamp), calls])
    expect(trend).toEqual(Array.from({ length: 20 }, (_, index) => [now - (20 - index) * hourMs, 2]))
  }, 120_000)

  test('hold what people say, without versions', async () => {
    const project = freshProject(server)
    await project.add(...Array.from({ length: 9 }, (_, index) => call(`c${index}`, 1)))
    for (let index = 0; index < 9; index++) {
      await give(project, `c${index}`, 'ext.reaction.1', { emoji: index < 6 ? '👍' : '👎' })
      await give(project, `c${index}`, 'ext.note.1', { note: `a note with the number ${index} `.repeat(8) })
    }
    const { json } = await read(project)
    expect(json.groups.map(({ feedback_type, version, calls }) => [feedback_type, version, calls])).toEqual([
      ['ext.note.1', null, 9],
      ['ext.reaction.1', null, 9],
    ])
    const [note] = json.groups[0]!.distributions
    expect(note).toMatchObject({ value_type: 'categorical', calls: 9, mean: null, values: [], other_values: 9 })
    const emoji = json.groups[1]!.distributions.find(({ json_path }) => json_path === 'emoji')!
    expect(emoji.values).toEqual([
      { value: '👍', calls: 6 },
      { value: '👎', calls: 3 },
    ])
    await expectCounts(project, 'ext.reaction.1', emoji)
  }, 120_000)

  test('tell numbers, truth values and texts of one member apart, and leave out what is none of them', async () => {
    const project = freshProject(server)
    const outputs = [1.5, 1.5, 2, 'two', true, null, [1], { deep: 3 }, 1e20, { deep: 4 }]
    await project.add(...outputs.map((_, index) => call(`c${index}`, 1)))
    const [type, other] = ['ext.runnable.mixed', 'ext.runnable.number']
    for (const [index, output] of outputs.entries()) {
      await give(project, `c${index}`, type, { output }, { runnable_ref: `ext:///${project.id}/object/mixed:a` })
      await give(
        project,
        `c${index}`,
        other,
        { output: index / 10 },
        { runnable_ref: `ext:///${project.id}/object/number:b` },
      )
    }
    const { json } = await read(project)
    const [mixed, number] = json.groups as [(typeof json.groups)[0], (typeof json.groups)[0]]
    expect(mixed.distributions.map(({ json_path, calls, value_type }) => [json_path, calls, value_type])).toEqual([
      ['output', 6, 'categorical'],
      ['output.deep', 2, 'numeric'],
    ])
    const [output, deep] = mixed.distributions as [Distribution, Distribution]
    expect(output.values).toEqual([
      { value: 1.5, calls: 2 },
      ...['two', 1e20, 2, true].map((value) => ({ value, calls: 1 })),
    ])
    expect(deep.mean).toBe(3.5)
    expect(number.distributions[0]).toMatchObject({ json_path: 'output', calls: 10, value_type: 'numeric' })
    expect((await read(project)).json).toEqual(json)
  }, 120_000)

  test('are empty without feedback, and refuse a range that is none', async () => {
    const project = freshProject(server)
    expect((await read(project)).json).toMatchObject({ groups: [], is_cut: false })
    expectRefusal(await read(project, { start: at(0), end: at(24) }), 400)
    expectInvalid(await read(project, {}))
  })
})
