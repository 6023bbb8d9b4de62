import { expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { jobRow } from '../../src/domains/jobs/job.ts'
import { Store } from '../../src/engine/store.ts'
import { jobsTable } from '../../src/engine/tables/jobs-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { createLog } from '../../src/runtime/log.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { createEvaluation, createObject, evaluate, statusOf } from '../conformance/support/evaluation-engine.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'c'.repeat(40)

test('a cancellation interrupted by a crash is completed by a retry', async () => {
  const data = await makeTempFolder()
  const stub = startStubModel()
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  let server = await startServer({ env, data, adminKey })
  try {
    let project = new Project(server.client, 'crash', 'cancelled')
    const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'stub-slow' })
    const evaluation = await createEvaluation(project, [{ question: 'why?' }], [])
    const id = await evaluate(project, { evaluation, model })
    await server.kill()
    await noteCancelled(data, project.id, id)
    server = await startServer({ env, data, adminKey })
    project = new Project(server.client, 'crash', 'cancelled')
    expect(await statusOf(project, id)).toMatchObject({ code: 'running' })
    const cancel = () => project.client.post('/evaluations/cancel', { project_id: project.id, call_id: id })
    expect((await cancel()).status).toBe(200)
    expect(await statusOf(project, id)).toEqual({ code: 'failed', error: 'Cancelled' })
    expect((await cancel()).status).toBe(404)
  } finally {
    await server.kill()
    await stub.stop()
    await removeFolder(data)
  }
}, 300_000)

/**
 * The state left by a server that dies between recording that a job is cancelled and ending its
 * calls.
 */
async function noteCancelled(data: string, projectId: string, id: string): Promise<void> {
  const log = createLog('silent')
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax: 2 ** 28, clock: systemClock, log })
  const job = { id, projectId, kind: 'evaluate_model', request: {}, attempts: 0, error: null }
  const times = { createdAt: systemClock.nowMs() * 1000, userId: 'admin', userName: 'admin' }
  const cancelled = jobRow({ ...job, ...times, state: 'cancelled' }, systemClock.nowMs() * 1000)
  await store.write(jobsTable.name, [cancelled])
  await store.close()
}
