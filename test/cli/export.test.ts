import { expect, test } from 'bun:test'
import { StubCollector, sentSpans } from '../conformance/support/stub-collector.ts'
import { freshProject, sharedServer } from '../conformance/support/target.ts'
import { runCommand } from './command.ts'

const server = await sharedServer()

const exportTo = (collector: StubCollector, project: string, ...words: string[]) =>
  runCommand(
    ...['export', '--otlp', new URL(collector.url).origin, '--from', server.address, '--key', server.key],
    ...['--project', project, ...words],
  )

test('a project is exported, filtered and repeatably', async () => {
  using collector = new StubCollector()
  // Twice not accepted, then refused until the bad span is found.
  collector.statuses.push(503, 500)
  const project = freshProject(server)
  await project.add(
    { id: 'a', op_name: 'wanted', started_at: '2024-05-01T10:00:00Z' },
    { id: 'b', op_name: 'wanted', started_at: '2024-05-02T10:00:00Z' },
    { id: 'c', op_name: 'other', started_at: '2024-05-03T10:00:00Z' },
    { id: 'running', op_name: 'wanted', started_at: '2024-05-03T10:00:00Z', ended_at: null },
  )
  const idsOf = () => sentSpans(collector).map(({ attributes }) => attributes['ext.call_id']!['stringValue'])
  const all = await exportTo(collector, project.id, '--header', 'X-Key: k')
  expect(all).toMatchObject({ code: 0, out: '3 calls sent\n0 refused by the receiver\n1 still running\n' })
  expect(idsOf()).toEqual(['a', 'b', 'c'])
  expect(collector.requests.every(({ headers }) => headers.get('x-key') === 'k')).toBe(true)
  const since = ['--since', '2024-05-02', '--filter', '{"op_names": ["wanted"]}']
  const some = await exportTo(collector, project.id, ...since, '--until', '2024-05-03T00:00:00Z')
  expect(some.out).toStartWith('1 calls sent')
  expect(idsOf()).toEqual(['a', 'b', 'c', 'b'])
  collector.refuse = (spans) => spans.some(({ name }) => name === 'other')
  const refused = await exportTo(collector, project.id)
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('refused 1 of the calls')
  expect(idsOf().slice(4)).toEqual(['a', 'b'])
}, 120_000)

test('an export says what is wrong with it', async () => {
  using collector = new StubCollector()
  const { id } = freshProject(server)
  expect(await exportTo(collector, 'no-project')).toMatchObject({ code: 2 })
  expect(await exportTo(collector, id, '--since', 'yesterday')).toMatchObject({ code: 2 })
  expect(await exportTo(collector, id, '--filter', '{')).toMatchObject({ code: 2 })
  expect(await exportTo(collector, id, '--header', 'none')).toMatchObject({ code: 2 })
  const wrongKey = await exportTo(collector, id, '--key', 'wrong')
  expect(wrongKey.code).toBe(1)
  expect(wrongKey.err).toContain('status 401')
}, 120_000)
