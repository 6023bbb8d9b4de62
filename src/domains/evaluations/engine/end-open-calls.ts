import { formatTime } from '../../../lib/time.ts'
import { equals } from '../../../query/grammar.ts'
import type { ProjectWriter } from '../../access/index.ts'
import { membersOfCall } from '../evaluation-calls.ts'
import type { EngineDeps } from './engine-deps.ts'

const stillRunning = { $expr: equals('summary.ext.status', 'running') }

/** Ends all running calls of a run, including the run itself. */
export async function endOpenCalls(
  { calls, clock }: Pick<EngineDeps, 'calls' | 'clock'>,
  writer: ProjectWriter,
  runId: string,
  exception: string,
): Promise<void> {
  const { projectId } = writer
  const ended_at = formatTime(clock.nowMs() * 1000)
  const request = { filter: { trace_ids: [runId] }, query: stillRunning, columns: ['id'] }
  for await (const lines of calls.reader.jsonLines(writer, request, new AbortController().signal)) {
    const items = lines.map((line) => {
      const { id } = membersOfCall(line)
      return { req: { end: { project_id: projectId, id, ended_at, exception, summary: {} } } }
    })
    await calls.writer.upsertBatch(() => writer, items)
  }
}
