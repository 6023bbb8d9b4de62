import { expect, test } from 'bun:test'
import { EvaluationClient } from '../conformance/support/evaluations.ts'
import { freshProject, sharedServer } from '../conformance/support/target.ts'
import { runCommand } from './command.ts'

const server = await sharedServer()
const evals = new EvaluationClient(freshProject(server))

/** A run of eight rows; `passes` says which of them pass. */
async function runWhere(passes: (row: number) => boolean): Promise<string> {
  const id = await evals.run()
  const rows = Array.from({ length: 8 }, (_, row) => row)
  for (const row of rows) await evals.trial(id, { row }, 'said', { match: passes(row), 'a|b': row / 2 })
  return id
}

const [none, all, half] = [await runWhere(() => false), await runWhere(() => true), await runWhere((row) => row < 4)]

const check = (run: string, baseline: string, ...words: string[]) =>
  runCommand(
    ...['evals', 'check', run, '--baseline', baseline, '--project', evals.project.id],
    ...['--url', server.address, '--key', server.key, ...words],
  )

test('a run that is worse fails the command, with the figures', async () => {
  const worse = await check(none, all)
  expect(worse).toMatchObject({ code: 1, err: 'error: the run is worse than the baseline\n' })
  expect(worse.out).toContain('match: worse\n  100.0% (67.6–100.0) -> 0.0% (0.0–32.4)\n')
  expect(worse.out).toContain('  difference −100.0 [−100.0, −100.0] p 0.016; paired rows: 8\n')
  expect(await check(all, none)).toMatchObject({ code: 0, err: '' })
  expect(await check(none, all, '--lower-is-better', 'match')).toMatchObject({ code: 0 })
  expect(await check(none, all, '--no-worse', 'a|b')).toMatchObject({ code: 0 })
  expect(await check(none, all, '--no-worse', 'a|b', '--no-worse', 'match')).toMatchObject({ code: 1 })
}, 120_000)

test('a run of which nothing can be told fails it only if asked, with another code', async () => {
  expect(await check(half, all, '--no-worse', 'match')).toMatchObject({ code: 0 })
  const strict = await check(half, all, '--no-worse', 'match', '--strict')
  expect(strict).toMatchObject({ code: 2, err: expect.stringContaining('cannot tell') })
  expect(await check(half, all, '--no-worse', 'match', '--strict', '--margin', 'match=1')).toMatchObject({ code: 0 })
}, 120_000)

test('Markdown for a pull request', async () => {
  const { out, code } = await check(all, none, '--markdown')
  expect(code).toBe(0)
  expect(out).toStartWith('| score | baseline | run | difference | paired rows | verdict |\n')
  expect(out).toContain('\n| match | 0.0% (0.0–32.4) | 100.0% (67.6–100.0) | +100.0 \\[+100.0, +100.0\\] p 0.0')
  expect(out).toContain('\n| a\\|b | 1.75 ')
  expect(out).toContain(' | **better** |\n')
  expect(out).toContain('corrected for 2 comparisons (Holm).')
}, 120_000)

test('what is wrong with it is said', async () => {
  expect(await check(all, none, '--no-worse', 'mtach')).toMatchObject({
    code: 1,
    err: expect.stringContaining('use a|b, match'),
  })
  expect(await check(all, none, '--margin', 'match')).toMatchObject({ code: 2 })
  expect(await check(all, none, '--project', 'no-project')).toMatchObject({ code: 2 })
  expect(await check('unknown', none)).toMatchObject({ code: 1, err: expect.stringContaining('status 404') })
  expect(await check(all, none, '--url', 'http://127.0.0.1:1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be reached'),
  })
}, 120_000)
