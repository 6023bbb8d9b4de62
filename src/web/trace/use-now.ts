import { useEffect, useState } from 'preact/hooks'
import type { Skeleton } from './skeleton.ts'
import { traceLength } from './skeleton.ts'

const tickMs = 500

/** Now in milliseconds after the start of the trace; stands still once nothing runs. */
export function useNow(skeleton: Skeleton | undefined, isRunning: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => tick((count) => count + 1), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  if (!skeleton) return 0
  const known = traceLength(skeleton, 0)
  return isRunning ? Math.max(known, Date.now() - skeleton.startedAt) : known
}
