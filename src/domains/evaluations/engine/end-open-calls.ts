import { formatTime } from '../../../lib/time.ts'
import type { ProjectWriter } from '../../access/caller.ts'
import type { EngineDeps } from './engine-deps.ts'

const stillRunning = { $expr: { $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'running' }] } }

/** Ends all running calls of a run, including the run itself. */
export async function endOpenCalls(
  { calls, clock }: Pick<EngineDeps, 'calls' | 'clock'>,
  writer: ProjectWriter,
  runId: string,
  exception: string,
): Promise<void> {
  const { projectId } = writer
  const ended_at = formatTime(clock.nowMs() * 1000)
  const question = { filter: { trace_ids: [runId] }, query: stillRunning, columns: ['id'] }
  for await (const lines of calls.reader.jsonLines(writer, question, new AbortController().signal)) {
    const items = lines.map((line) => {
      const { id } = JSON.parse(line) as { id: string }
      return { req: { end: { project_id: projectId, id, ended_at, exception, summary: {} } } }
    })
    await calls.writer.upsertBatch(() => writer, items)
  }
}
