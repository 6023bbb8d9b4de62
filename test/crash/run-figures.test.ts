import { expect, test } from 'bun:test'
import type { RunList } from '../../src/domains/evaluations/model/run-list.ts'
import { Store } from '../../src/engine/store.ts'
import { runFiguresTable } from '../../src/engine/tables/run-figures-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { createLog } from '../../src/runtime/log.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { EvaluationClient } from '../conformance/support/evaluations.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'c'.repeat(40)

test('figures of ended runs are stored, survive a kill, and follow the calls', async () => {
  const data = await makeTempFolder()
  const spawn = () => new ServerChild({ kind: 'plain', data, adminKey })
  let server = spawn()
  const open = async () => new EvaluationClient(new Project(await server.listening(), 'crash', 'figures'))
  try {
    let evals = await open()
    const ids: string[] = []
    for (const passes of [1, 2, 3, 4]) {
      const id = await evals.run()
      ids.push(id)
      for (let row = 0; row < 5; row++) await evals.trial(id, { row }, 'said', { exact: row < passes })
      // The last one is in progress.
      if (passes < 4) await evals.finish('evaluation_runs', id)
    }
    const before = await list(evals)
    expect(before.map(({ scores }) => scores[0]?.value)).toEqual([0.8, 0.6, 0.4, 0.2])
    expect(await server.stop()).toBe(0)
    expect(await storedRows(data)).toBe(3)

    server = spawn()
    evals = await open()
    expect(await list(evals)).toEqual(before)
    // A score that comes late is not hidden by what is stored, not even after a kill.
    await evals.trial(ids[0]!, { row: 5 }, 'said', { exact: true })
    const changed = await list(evals)
    expect(changed.at(-1)?.scores[0]).toMatchObject({ value: 2 / 6, scored_rows: 6 })
    await server.kill()

    server = spawn()
    evals = await open()
    expect(await list(evals)).toEqual(changed)
    await evals.delete('evaluation_runs', 'evaluation_run_ids', ids[1]!)
    expect(await list(evals)).toHaveLength(3)
    expect(await server.stop()).toBe(0)
    expect(await storedRows(data)).toBe(2)
  } finally {
    await server.kill()
    await removeFolder(data)
  }
}, 300_000)

async function list({ project }: EvaluationClient): Promise<RunList['runs']> {
  const body = { project_id: project.id }
  return (await project.client.post<RunList>('/evaluations/runs/query', body)).json.runs
}

/** How many runs have stored figures. */
async function storedRows(data: string): Promise<number> {
  const log = createLog('silent')
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax: 2 ** 28, clock: systemClock, log })
  const rows = store.rowsOf(runFiguresTable.name)
  await store.close()
  return rows
}
