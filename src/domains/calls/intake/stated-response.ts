import { callsTable } from '../../../engine/tables/calls-table.ts'
import { countTokens } from '../../../lib/count-tokens.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { Row } from '../../../lib/table.ts'
import { cellAt, partAt } from '../../../lib/typed-rows.ts'
import type { OpenCall } from '../parts.ts'

const { at } = callsTable

/** A response of a model whose usage a call states. Times in microseconds since 1970 UTC. */
export interface StatedResponse {
  readonly id: string
  readonly traceId: string
  readonly responseId: string
  readonly startedAt: number
  readonly endedAt: number
}

/** Undefined for a call that states no usage, or names no response. @param part its row */
export function statedResponse(call: OpenCall, part: Row): StatedResponse | undefined {
  const responseId = isJsonObject(call.attributes) ? call.attributes['response_id'] : undefined
  if (typeof responseId !== 'string' || responseId === '') return undefined
  const endedAt = partAt(part, at.ended_at)
  if (endedAt === null || !('summary' in call) || !statesTokens(call.summary?.['usage'])) return undefined
  return {
    id: cellAt(part, at.id),
    traceId: cellAt(part, at.trace_id),
    responseId,
    startedAt: cellAt(part, at.started_at),
    endedAt,
  }
}

const statesTokens = (usage: unknown): boolean =>
  isJsonObject(usage) &&
  Object.values(usage).some((figures) => {
    if (!isJsonObject(figures)) return false
    const { prompt, completion, total } = countTokens(figures)
    return prompt + completion + total > 0
  })
