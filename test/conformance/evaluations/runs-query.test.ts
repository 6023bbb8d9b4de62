import { describe, expect, test } from 'bun:test'
import type { RunList } from '../../../src/domains/evaluations/model/run-list.ts'
import { EvaluationClient } from '../support/evaluations.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const send = (evals: EvaluationClient, members: object = {}) =>
  server.post<RunList>('/evaluations/runs/query', { project_id: evals.project.id, ...members })

async function list(evals: EvaluationClient, members: object = {}): Promise<RunList> {
  const { status, text, json } = await send(evals, members)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json
}

/** A run with one trial a row; null for a row that failed. */
async function runOf(evals: EvaluationClient, scores: readonly (object | null)[], ends = true): Promise<string> {
  const id = await evals.run()
  for (const [row, each] of scores.entries()) {
    if (each === null) await evals.trial(id, { question: `q${row}` }, null, {})
    else await evals.trial(id, { question: `q${row}` }, 'said', { ...each })
  }
  if (ends) await evals.finish('evaluation_runs', id)
  return id
}

describe('evaluations/runs/query', () => {
  test('has the counts of rows and each score with its interval', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const passes = Array.from({ length: 16 }, (_, row) => ({ match: row < 5, grade: row }))
    const id = await runOf(evals, [...passes, { match: true }, null])
    const { runs, total, next, evaluations } = await list(evals)
    expect({ total, next, evaluations }).toEqual({ total: 1, next: null, evaluations: [{ name: 'quiz', runs: 1 }] })
    expect(runs[0]).toMatchObject({
      evaluation_call_id: id,
      state: 'done',
      is_resumable: false,
      rows_begun: 18,
      rows_ended: 18,
      rows_failed: 1,
      rows_scored: 17,
      rows_total: null,
      cost: null,
    })
    const [grade, match] = runs[0]?.scores ?? []
    expect(grade).toMatchObject({ score: 'grade', kind: 'mean', value: 7.5, interval: 'bootstrap', scored_rows: 16 })
    expect(grade?.unscored_rows).toBe(1)
    // Wilson's interval of 6 of 17.
    expect(match).toMatchObject({ score: 'match', kind: 'rate', interval: 'wilson', scored_rows: 17, unscored_rows: 0 })
    expect([match?.low?.toFixed(4), match?.high?.toFixed(4)]).toEqual(['0.1731', '0.5870'])
  })

  test('sees scores that came after a list', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const id = await runOf(evals, [{ match: true }], false)
    expect((await list(evals)).runs[0]).toMatchObject({ state: 'running', rows_scored: 1 })
    await evals.trial(id, { question: 'later' }, 'said', { match: false })
    await evals.finish('evaluation_runs', id)
    const [run] = (await list(evals)).runs
    expect(run).toMatchObject({ state: 'done', rows_scored: 2 })
    expect(run?.scores[0]).toMatchObject({ value: 0.5, scored_rows: 2 })
  })

  test('says that a run of a program was interrupted once its calls are silent, however late they were sent', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const silent = async (id: string, minutes: number) => {
      const started_at = new Date(Date.now() - minutes * 60_000).toISOString()
      const inputs = { self: evals.evaluation, model: evals.model }
      await evals.project.start({ id, trace_id: id, op_name: 'Evaluation.evaluate', started_at, inputs })
      return started_at
    }
    await silent('talks', 9)
    const lastSaid = await silent('stopped', 11)
    const [talks, stopped] = (await list(evals)).runs
    expect(talks).toMatchObject({ evaluation_call_id: 'talks', state: 'running', is_on_server: false })
    expect(stopped).toMatchObject({ state: 'interrupted', is_on_server: false, is_resumable: false })
    expect(Date.parse(stopped?.active_at ?? '')).toBe(Date.parse(lastSaid))
    // It was only slow: the next call says so.
    const now = new Date().toISOString()
    const row = { id: 'row', trace_id: 'stopped', parent_id: 'stopped', op_name: 'Model.predict' }
    await evals.project.complete({ ...row, started_at: now, ended_at: now })
    expect((await list(evals, { states: ['running'] })).total).toBe(2)
  })

  test('leaves to its program what another server ran', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const attributes = { ext: { evaluation_run: 'true', server_run: 'true', evaluation: evals.evaluation } }
    await evals.project.start({ id: 'copied', trace_id: 'copied', op_name: 'Evaluation.evaluate', attributes })
    const { runs } = await list(evals)
    expect(runs[0]).toMatchObject({ state: 'interrupted', is_on_server: false, is_resumable: false })
  })

  test('pages through every run once, in the order of a score', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const ids: string[] = []
    for (const grade of [3, 1, 2, 2, 5]) ids.push(await runOf(evals, [{ grade }]))
    const unscored = await runOf(evals, [null])
    const sort_by = { field: 'scores.grade', direction: 'desc' }
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: RunList = await list(evals, { sort_by, limit: 2, after })
      expect(page.total).toBe(6)
      seen.push(...page.runs.map((run) => run.evaluation_call_id))
      after = page.next
    } while (after !== null)
    expect(seen.length).toBe(6)
    expect([seen[0], seen[1], seen[4], seen[5]]).toEqual([ids[4]!, ids[0]!, ids[1]!, unscored])
    expect(new Set(seen.slice(2, 4))).toEqual(new Set([ids[2]!, ids[3]!]))
  })

  test('selects by evaluation, state, text and id', async () => {
    const evals = new EvaluationClient(freshProject(server))
    const done = await runOf(evals, [{ match: true }])
    const running = await runOf(evals, [{ match: true }], false)
    const idsOf = async (members: object) => (await list(evals, members)).runs.map((run) => run.evaluation_call_id)
    expect(await idsOf({ states: ['running'] })).toEqual([running])
    expect(await idsOf({ evaluation: 'quiz' })).toEqual([running, done])
    expect(await idsOf({ evaluation: 'other' })).toEqual([])
    expect(await idsOf({ search: 'GUESS' })).toEqual([running, done])
    expect(await idsOf({ search: 'nobody' })).toEqual([])
    expect(await idsOf({ evaluation_call_ids: [done] })).toEqual([done])
    expect(await idsOf({ evaluation_call_ids: [] })).toEqual([])
  })

  test('refuses an unknown field, page and limit', async () => {
    const evals = new EvaluationClient(freshProject(server))
    expectRefusal(
      await send(evals, { sort_by: { field: 'price', direction: 'asc' } }),
      400,
      'Cannot sort runs by "price"',
    )
    expectRefusal(await send(evals, { after: 'x' }), 400, 'Invalid `after` "x"')
    expectInvalid(await send(evals, { limit: 0 }))
    expectInvalid(await send(evals, { states: ['gone'] }))
  })
})
