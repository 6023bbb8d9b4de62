import { expect, test } from 'bun:test'
import path from 'node:path'
import type { ComparedRows, Comparison } from '../../src/domains/evaluations/model/comparison.ts'
import { Store } from '../../src/engine/store.ts'
import { runRowsTable } from '../../src/engine/tables/run-rows-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { createLog } from '../../src/runtime/log.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { EvaluationClient } from '../conformance/support/evaluations.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'c'.repeat(40)

test('stored rows of runs survive a kill, and equal rows computed again after every change', async () => {
  const data = await makeTempFolder()
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey })
  let server = spawn()
  const open = async () => new EvaluationClient(new Project(await server.listening(), 'crash', 'rows'))
  const kill = async () => {
    await server.kill()
    server = spawn()
    return await open()
  }
  /** Without stored rows. */
  const forget = async () => {
    expect(await server.stop()).toBe(0)
    await removeFolder(path.join(data, 'tables', runRowsTable.name))
    server = spawn()
    return await open()
  }
  try {
    let evals = await open()
    const runs: string[] = []
    const trials: string[] = []
    for (const shift of [0, 1, 2]) {
      const id = await evals.run()
      runs.push(id)
      for (let row = shift; row < 7 + shift; row++) {
        // Of each run, one row failed, one has no score, and one has two trials.
        const scores = row === 4 ? {} : { exact: row % (2 + shift) === 0, judge: { points: row + shift / 3 } }
        trials.push(await evals.trial(id, { row }, row === 3 ? null : 'said', row === 3 ? {} : scores))
        if (row === 5) await evals.trial(id, { row }, 'again', { exact: true, judge: { points: 0.1 } })
      }
      await evals.finish('evaluation_runs', id)
    }
    const first = await compare(evals, runs)
    expect(first.rows.rows).toHaveLength(9)
    expect(await compare(evals, runs)).toEqual(first)
    evals = await kill()
    expect(await compare(evals, runs)).toEqual(first)

    const changes = [
      () => evals.score(trials[0]!, 'exact', false, runs[0]),
      () => evals.trial(runs[1]!, { row: 20 }, 'late', { exact: true, other: 3 }),
      () => evals.delete('predictions', 'prediction_ids', trials[8]!),
      async () => {
        const prices = { 'gpt-4o': { prompt_token_cost: 1, completion_token_cost: 2 } }
        await evals.project.client.post('/cost/create', { project_id: evals.project.id, costs: prices })
      },
    ]
    let before = first
    for (const [index, change] of changes.entries()) {
      await change()
      const changed = await compare(evals, runs)
      // A second score of a trial, and a price of a model without usage, change nothing.
      if (index === 1 || index === 2) expect(changed).not.toEqual(before)
      expect(await compare(evals, runs)).toEqual(changed)
      evals = await kill()
      expect(await compare(evals, runs)).toEqual(changed)
      evals = await forget()
      expect(await compare(evals, runs)).toEqual(changed)
      before = changed
    }

    await evals.delete('evaluation_runs', 'evaluation_run_ids', runs[2]!)
    await evals.project.client.post('/evaluations/runs/query', { project_id: evals.project.id })
    expect(await server.stop()).toBe(0)
    expect(await storedRuns(data)).toBe(2)
  } finally {
    await server.kill()
    await removeFolder(data)
  }
}, 600_000)

/** What the page of a comparison reads. */
async function compare({ project }: EvaluationClient, runs: readonly string[]) {
  const body = { project_id: project.id, evaluation_call_ids: runs }
  const { view: _, ...rows } = (await project.client.post<ComparedRows>('/evaluations/compare_rows', body)).json
  const measured = { ...body, measures: ['cost', 'latency'] }
  const { view: __, ...verdicts } = (await project.client.post<Comparison>('/evaluations/compare', measured)).json
  return { rows, verdicts }
}

/** How many runs have stored rows. */
async function storedRuns(data: string): Promise<number> {
  const log = createLog('silent')
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax: 2 ** 28, clock: systemClock, log })
  const rows = store.rowsOf(runRowsTable.name)
  await store.close()
  return rows
}
