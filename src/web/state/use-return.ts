import { useEffect, useRef } from 'preact/hooks'
import { returns } from '../api/outage.ts'

/** Does `catchUp` when the server is back after it did not answer. */
export function useReturn(catchUp: () => void): void {
  const latest = useRef(catchUp)
  latest.current = catchUp
  const seen = useRef(returns.peek())
  const count = returns.value
  useEffect(() => {
    if (seen.current === count) return
    seen.current = count
    latest.current()
  }, [count])
}
