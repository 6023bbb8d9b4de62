import { BoundedMap } from '../../lib/bounded-map.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { StatedResponse } from '../calls/index.ts'

/** A call with usage that names the response it is about. */
export interface ResponseCall extends StatedResponse {
  readonly writer: ProjectWriter
}

/** The calls of a trace that state the usage of one response. */
interface SameResponse {
  /** The one that counts. */
  counting: StatedResponse
  /** Ids of others. */
  readonly others: string[]
}

/**
 * Finds calls beside each other that state the usage of the same response, as an instrumentation
 * and the package of a provider do. The one that started last is closest to the provider, and
 * counts. Remembers the latest responses, because exporters send spans as they end.
 */
export class SameResponses {
  private readonly known = new BoundedMap<string, SameResponse>(telemetryLimits.sameResponsesMax)

  /** Returns the calls, also of earlier exports, whose usage is stated by another call. */
  others(calls: readonly ResponseCall[]): { readonly writer: ProjectWriter; readonly id: string }[] {
    return calls.flatMap((call) => {
      const { writer, traceId, responseId } = call
      const key = `${writer.projectId}\n${traceId}\n${responseId}`
      const known = this.known.get(key)
      if (known === undefined) {
        this.known.set(key, { counting: call, others: [] })
        return []
      }
      // A retry says again what may not have been stored.
      if (known.counting.id === call.id) return known.others.map((id) => ({ writer, id }))
      const [counting, other] = isCloser(call, known.counting) ? [call, known.counting] : [known.counting, call]
      known.counting = counting
      if (!known.others.includes(other.id)) known.others.push(other.id)
      if (known.others.length > telemetryLimits.callsOfResponseMax) known.others.shift()
      return [{ writer, id: other.id }]
    })
  }
}

/** Whether a call is inside of what the other one took, or comes after it. */
const isCloser = (call: StatedResponse, other: StatedResponse): boolean =>
  call.startedAt === other.startedAt ? call.endedAt < other.endedAt : call.startedAt > other.startedAt
