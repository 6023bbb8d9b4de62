import { describe, expect, test } from 'bun:test'
import type { CallDraft } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

type Direction = 'asc' | 'desc'

async function projectWith(...drafts: (CallDraft & { id: string })[]): Promise<Project> {
  const project = freshProject(server)
  await project.add(...drafts)
  return project
}

const sortedBy = (project: Project, ...keys: [string, Direction][]): Promise<string[]> =>
  project.idsOf({ sort_by: keys.map(([field, direction]) => ({ field, direction })) })

describe('sort_by', () => {
  test.each([
    ['absent', undefined],
    ['null', null],
    ['an empty list', []],
  ])('%s sorts by start, then by id', async (_kind, sort_by) => {
    const project = await projectWith(
      { id: 'c', started_at: '2024-05-01T10:00:01Z' },
      { id: 'b', started_at: '2024-05-01T10:00:02Z' },
      { id: 'a', started_at: '2024-05-01T10:00:02Z' },
      { id: 'd', started_at: '2024-05-01T10:00:00.999999Z' },
    )
    expect(await project.idsOf({ sort_by })).toEqual(['d', 'c', 'a', 'b'])
  })

  test.each(['started_at', 'ended_at'])('%s sorts by time', async (field) => {
    const project = await projectWith(
      { id: 'a', [field]: '2024-05-01T12:00:00+02:00' },
      { id: 'b', [field]: '2024-05-01T11:00:00Z' },
      { id: 'c', [field]: '2024-05-01T09:59:59.999999Z' },
    )
    expect(await sortedBy(project, [field, 'asc'])).toEqual(['c', 'a', 'b'])
    expect(await sortedBy(project, [field, 'desc'])).toEqual(['b', 'a', 'c'])
  })

  test.each([
    ['op_name', ['m', 'a', 'z']],
    ['trace_id', ['m', 'a', 'z']],
    ['display_name', ['m', 'a', 'z']],
    ['parent_id', ['m', 'a', 'z']],
    ['thread_id', ['m', 'a', 'z']],
    ['exception', ['m', 'a', 'z']],
    ['ext_run_step', [10, 9, 100]],
    ['ext_run_step_end', [10, 9, 100]],
  ])('%s sorts in its natural order', async (field, [middle, least, most]) => {
    const project = await projectWith(
      { id: 'middle', [field]: middle },
      { id: 'least', [field]: least },
      { id: 'most', [field]: most },
    )
    expect(await sortedBy(project, [field, 'asc'])).toEqual(['least', 'middle', 'most'])
    expect(await sortedBy(project, [field, 'desc'])).toEqual(['most', 'middle', 'least'])
  })

  test.each(['parent_id', 'ext_run_step', 'ended_at'])('null is the smallest value of %s', async (field) => {
    const values = {
      parent_id: ['a', 'b'],
      ext_run_step: [1, 2],
      ended_at: ['2024-05-01T10:00:01Z', '2024-05-01T10:00:02Z'],
    }
    const [low, high] = values[field as keyof typeof values]
    const project = await projectWith(
      { id: 'none', [field]: null },
      { id: 'low', [field]: low },
      { id: 'high', [field]: high },
    )
    expect(await sortedBy(project, [field, 'asc'])).toEqual(['none', 'low', 'high'])
    expect(await sortedBy(project, [field, 'desc'])).toEqual(['high', 'low', 'none'])
  })

  describe.each(['inputs', 'attributes', 'output', 'summary'])('a path into %s', (column) => {
    const mixed = () =>
      projectWith(
        { id: 'null', [column]: { v: null } },
        { id: 'missing', [column]: { w: 1 } },
        { id: '100', [column]: { v: 100 } },
        { id: '2', [column]: { v: 2 } },
        { id: 'b', [column]: { v: 'b' } },
        { id: 'a', [column]: { v: 'a' } },
      )

    test('sorts calls without a value, then numbers by value, then text, ascending', async () => {
      const ids = await sortedBy(await mixed(), [`${column}.v`, 'asc'])
      expect(ids.slice(0, 2).sort()).toEqual(['missing', 'null'])
      expect(ids.slice(2)).toEqual(['2', '100', 'a', 'b'])
    })

    test('sorts numbers by value, then text, then calls without a value, descending', async () => {
      const ids = await sortedBy(await mixed(), [`${column}.v`, 'desc'])
      expect(ids.slice(0, 4)).toEqual(['100', '2', 'b', 'a'])
      expect(ids.slice(4).sort()).toEqual(['missing', 'null'])
    })
  })

  test('a number in a path indexes a list', async () => {
    const project = await projectWith(
      { id: 'a', inputs: { x: { list: [1, 9] } } },
      { id: 'b', inputs: { x: { list: [5, 0] } } },
    )
    expect(await sortedBy(project, ['inputs.x.list.0', 'desc'])).toEqual(['b', 'a'])
    expect(await sortedBy(project, ['inputs.x.list.1', 'desc'])).toEqual(['a', 'b'])
  })

  test('a number in a path is a key if there is no list', async () => {
    const project = await projectWith({ id: 'a', inputs: { x: { '0': 1 } } }, { id: 'b', inputs: { x: { '0': 5 } } })
    expect(await sortedBy(project, ['inputs.x.0', 'desc'])).toEqual(['b', 'a'])
  })

  test('a dot inside a key is escaped with a backslash', async () => {
    const project = await projectWith(
      { id: 'a', inputs: { 'x.y': 1, x: { y: 9 } } },
      { id: 'b', inputs: { 'x.y': 5, x: { y: 0 } } },
    )
    expect(await sortedBy(project, ['inputs.x\\.y', 'desc'])).toEqual(['b', 'a'])
    expect(await sortedBy(project, ['inputs.x.y', 'desc'])).toEqual(['a', 'b'])
  })

  test('a key may contain any character', async () => {
    const key = `it's "odd" $[0] %`
    const project = await projectWith({ id: 'a', inputs: { [key]: 1 } }, { id: 'b', inputs: { [key]: 5 } })
    expect(await sortedBy(project, [`inputs.${key}`, 'desc'])).toEqual(['b', 'a'])
  })

  test.each(['ext', 'weave'])('summary.%s.status sorts alphabetically', async (prefix) => {
    const project = await projectWith(
      { id: 'success' },
      { id: 'running', ended_at: null },
      { id: 'error', exception: 'E' },
      { id: 'descendant', summary: { status_counts: { error: 1 } } },
    )
    const ids = await sortedBy(project, [`summary.${prefix}.status`, 'asc'])
    expect(ids).toEqual(['descendant', 'error', 'running', 'success'])
  })

  test('summary.ext.latency_ms sorts by duration, where running calls have none', async () => {
    const project = await projectWith(
      { id: 'slow', ended_at: '2024-05-01T10:00:10Z' },
      { id: 'running', ended_at: null },
      { id: 'fast', ended_at: '2024-05-01T10:00:00.009Z' },
    )
    expect(await sortedBy(project, ['summary.ext.latency_ms', 'asc'])).toEqual(['running', 'fast', 'slow'])
    expect(await sortedBy(project, ['summary.ext.latency_ms', 'desc'])).toEqual(['slow', 'fast', 'running'])
  })

  test('summary.ext.trace_name sorts by display name, else by the short op name', async () => {
    const project = await projectWith(
      { id: 'c', op_name: 'aaa', display_name: 'c' },
      { id: 'b', op_name: 'ext:///acme/traces/op/b:0123456789abcdef' },
      { id: 'd', op_name: 'd' },
    )
    expect(await sortedBy(project, ['summary.ext.trace_name', 'asc'])).toEqual(['b', 'c', 'd'])
  })

  test('accepts several keys in order of precedence', async () => {
    const project = await projectWith(
      { id: 'a1', op_name: 'a', inputs: { n: 1 } },
      { id: 'b1', op_name: 'b', inputs: { n: 1 } },
      { id: 'a2', op_name: 'a', inputs: { n: 2 } },
      { id: 'b2', op_name: 'b', inputs: { n: 2 } },
    )
    expect(await sortedBy(project, ['op_name', 'asc'], ['inputs.n', 'desc'])).toEqual(['a2', 'a1', 'b2', 'b1'])
    expect(await sortedBy(project, ['inputs.n', 'desc'], ['op_name', 'desc'])).toEqual(['b2', 'a2', 'b1', 'a1'])
  })

  test('works on a field that is not among the columns', async () => {
    const project = await projectWith({ id: 'a', inputs: { n: 1 } }, { id: 'b', inputs: { n: 2 } })
    const sort_by = [{ field: 'inputs.n', direction: 'desc' }]
    expect(await project.idsOf({ sort_by, columns: ['id'] })).toEqual(['b', 'a'])
  })

  test.each([
    ['a key that is the same for all', [{ field: 'op_name', direction: 'desc' }]],
    ['a path that no call has', [{ field: 'inputs.nothing', direction: 'asc' }]],
    ['no key', undefined],
  ])('is total, so that pages add up to the whole, by %s', async (_kind, sort_by) => {
    const project = await projectWith(...Array.from({ length: 23 }, (_, index) => ({ id: `call-${(index * 7) % 23}` })))
    const whole = await project.idsOf({ sort_by })
    const pages: string[] = []
    for (let offset = 0; offset < 28; offset += 7) pages.push(...(await project.idsOf({ sort_by, limit: 7, offset })))
    expect(new Set(whole).size).toBe(23)
    expect(pages).toEqual(whole)
  })

  test.each([
    ['startet_at', 'started_at'],
    ['opname', 'op_name'],
    ['input.x', 'inputs'],
    ['summary.ext.latency', 'summary.ext.latency_ms'],
  ])('rejects the unknown field %s and suggests the nearest known one', async (field, nearest) => {
    const answer = await freshProject(server).ask({ sort_by: [{ field, direction: 'asc' }] })
    expectRefusal(answer, 422, field, nearest)
  })

  test.each(['storage_size_bytes', 'total_storage_size_bytes'])('rejects %s', async (field) => {
    const answer = await freshProject(server).ask({ sort_by: [{ field, direction: 'asc' }] })
    expectRefusal(answer, 400, field)
  })

  test('rejects an unknown direction', async () => {
    const answer = await freshProject(server).ask({ sort_by: [{ field: 'id', direction: 'up' }] })
    expectInvalid(answer, ['body', 'sort_by', '0', 'direction'])
  })
})
