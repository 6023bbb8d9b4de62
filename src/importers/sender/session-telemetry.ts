import { BoundedMap } from '../../lib/bounded-map.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { forTarget, type ImportRecord } from '../record.ts'
import { numberIn } from '../reply.ts'
import type { TelemetryOfSessions } from '../source.ts'
import type { ServerClient } from './server-client.ts'

/** Summary of the calls that are not imported. */
export const countedAlready = 'calls of sessions whose telemetry is on the server and counts'

/**
 * Tells which sessions of a coding agent have sent telemetry to the project: their calls are there
 * already, and importing their transcripts would count them twice.
 */
export class SessionTelemetry {
  private readonly client: ServerClient
  private readonly telemetry: TelemetryOfSessions
  private readonly known = new BoundedMap<string, boolean>(toolLimits.importSessionsKnown)

  constructor(client: ServerClient, telemetry: TelemetryOfSessions) {
    this.client = client
    this.telemetry = telemetry
  }

  async has(record: ImportRecord): Promise<boolean> {
    const session = record.kind === 'call' ? forTarget(record.call, this.client).thread_id : undefined
    if (typeof session !== 'string') return false
    const known = this.known.get(session) ?? (await this.ask(session))
    this.known.set(session, known)
    return known
  }

  private async ask(session: string): Promise<boolean> {
    const { agentName, scopePrefix } = this.telemetry
    const isOfEvent = { $eq: [{ $getField: 'attributes.agent_name' }, { $literal: agentName }] }
    const scope = { $getField: 'attributes.otel_span.scope.name' }
    const isOfSpan = { $contains: { input: scope, substr: { $literal: scopePrefix } } }
    const reply = await this.client.post('/calls/query_stats', {
      project_id: this.client.project,
      filter: { thread_ids: [session] },
      query: { $expr: { $or: [isOfEvent, isOfSpan] } },
      limit: 1,
    })
    return numberIn(reply, 'count') > 0
  }
}
