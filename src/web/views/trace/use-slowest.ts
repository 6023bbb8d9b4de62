import { useMemo } from 'preact/hooks'
import type { Skeleton } from '../../trace/skeleton.ts'
import { selfTimes } from '../../trace/timeline/self-time.ts'

/** Rows by self time, the slowest first, as many as one steps through. */
export function useSlowest(skeleton: Skeleton, now: number): readonly number[] {
  return useMemo(() => {
    const self = selfTimes(skeleton, now)
    return Array.from(self.keys())
      .sort((a, b) => self[b]! - self[a]!)
      .slice(0, 20)
  }, [skeleton])
}
