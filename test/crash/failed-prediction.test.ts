import { expect, test } from 'bun:test'
import { startStubModel } from '../../scripts/stub-model/server.ts'
import { endPart } from '../../src/domains/calls/parts.ts'
import { predictId } from '../../src/domains/evaluations/engine/stored-trials.ts'
import { Store } from '../../src/engine/store.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { createLog } from '../../src/runtime/log.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { createEvaluation, createObject, endOf, evaluate } from '../conformance/support/evaluation-engine.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'c'.repeat(40)

test('a prediction that failed just before a crash stays failed, and the model is not asked again', async () => {
  const data = await makeTempFolder()
  const stub = startStubModel()
  const env = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
  let server = await startServer({ env, data, adminKey })
  try {
    let project = new Project(server.client, 'crash', 'failed')
    const model = await createObject(project, 'llm', 'LLMStructuredCompletionModel', { llm_model_id: 'stub-slow' })
    const evaluation = await createEvaluation(project, [{ question: 'why?' }], [])
    const id = await evaluate(project, { evaluation, model })
    while (stub.requests.length === 0) await Bun.sleep(5)
    await server.kill()
    await noteFailure(data, project.id, id)
    server = await startServer({ env, data, adminKey })
    project = new Project(server.client, 'crash', 'failed')
    expect(await endOf(project, id)).toMatchObject({ code: 'complete' })
    expect(stub.requests).toHaveLength(1)
    const calls = await project.query({ filter: { trace_ids: [id] } })
    expect(calls.find(({ op_name }) => op_name === 'llm.predict')).toMatchObject({ exception: 'refused', output: null })
    expect(calls.find(({ op_name }) => op_name === 'Evaluation.predict_and_score')?.output).toMatchObject({
      output: null,
    })
  } finally {
    await server.kill()
    await stub.stop()
    await removeFolder(data)
  }
}, 300_000)

/**
 * The state left by a server that dies between the end of a failed prediction and the end of its
 * trial.
 */
async function noteFailure(data: string, projectId: string, runId: string): Promise<void> {
  const log = createLog('silent')
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax: 2 ** 28, clock: systemClock, log })
  const end = {
    project_id: projectId,
    id: predictId(runId, { row: 0, repetition: 0, example: null }),
    ended_at: new Date(systemClock.nowMs()).toISOString(),
    exception: 'refused',
    summary: {},
  }
  const options = { redact: true, userId: 'admin', nowMs: systemClock.nowMs(), contents: undefined }
  await store.write(callsTable.name, [endPart(end, projectId, options)])
  await store.close()
}
