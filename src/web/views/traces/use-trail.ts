import { useEffect, useRef } from 'preact/hooks'
import { leaveTrail } from '../../state/trail.ts'
import type { CallRow } from '../../table/call-row.ts'

/**
 * Remembers a list when it is left, so that a trace opened from it leads back to it and to the
 * neighbours in its order.
 */
export function useTrail(projectId: string, path: string, rows: readonly CallRow[]): void {
  const latest = useRef({ rows, from: path })
  latest.current.rows = rows
  // By the time the list goes, the address is that of the next page.
  if (location.pathname === path) latest.current.from = path + location.search
  useEffect(
    () => () => {
      const { rows: listed, from } = latest.current
      leaveTrail({ projectId, traceIds: [...new Set(listed.map(({ traceId }) => traceId))], from })
    },
    [projectId],
  )
}
