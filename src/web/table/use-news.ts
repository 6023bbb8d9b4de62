import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveCall, listen } from '../api/live.ts'
import { statusOf } from '../components/display/statuses.ts'
import { conditionsOf, type FilterNode } from '../filter/expression.ts'
import { isUsagePath } from '../filter/fields.ts'
import { toQuery } from '../filter/to-query.ts'
import { lineOfError } from '../format/error.ts'
import type { CallPages } from './call-pages.ts'

/** Calls that have started since the rows were read. */
export interface News {
  readonly count: number
  /** Whether some may have gone uncounted. */
  readonly hasMissed: boolean
  readonly miss: () => void
  readonly forget: () => void
}

interface NewsScope {
  readonly projectId: string
  readonly rootsOnly: boolean
  /** Without times: what arrives is new. */
  readonly filter: FilterNode | undefined
  readonly enabled: boolean
}

/** Beyond this many new calls are not counted exactly. */
const newsMax = 999

/**
 * Listens while a table shows the newest rows: running rows end in place, and new ones are counted
 * without moving what is being read.
 */
export function useNews(pages: CallPages | undefined, { projectId, rootsOnly, filter, enabled }: NewsScope): News {
  const asked = toQuery(filter)
  const isKnown = !namesUsage(filter)
  const query = asked && JSON.stringify(asked)
  const arrived = useRef(new Set<string>())
  const [count, setCount] = useState(0)
  const [hasMissed, setMissed] = useState(false)
  const forget = (): void => {
    setMissed(false)
    arrived.current.clear()
    setCount(0)
  }
  useEffect(() => {
    forget()
    // Whether a call matches is unknown until its trace is complete.
    if (!pages || !enabled || !isKnown) return
    const tell = (kind: 'start' | 'end', call: LiveCall): void => {
      const isHere = pages.rows.peek().some(({ id }) => id === call.id)
      if (kind === 'end' && isHere) pages.patch(call.id, endOf(call))
      if (isHere || arrived.current.size >= newsMax) return
      arrived.current.add(call.id)
      setCount(arrived.current.size)
    }
    const conditions = { ...(rootsOnly && { trace_roots_only: 'true' }), ...(query && { query }) }
    return listen(projectId, conditions, { call: tell })
  }, [pages, projectId, rootsOnly, query, enabled, isKnown])
  return { count, hasMissed, miss: () => setMissed(true), forget }
}

const namesUsage = (filter: FilterNode | undefined): boolean =>
  conditionsOf(filter).some(({ path }) => isUsagePath(path))

const endOf = (call: LiveCall) => ({
  status: statusOf(call.status),
  endedAt: call.ended_at,
  latencyMs: call.latency_ms,
  error: lineOfError(call.exception),
  errorInside: call.error_inside?.error ?? null,
})
