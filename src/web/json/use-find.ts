import { useEffect, useState } from 'preact/hooks'
import { showError } from '../state/toasts.ts'
import type { Match } from './find.ts'

/** Matches that are listed; there may be more. */
export const matchesMax = 10_000

/** A search in a text, and the match that is shown. */
export interface Find {
  readonly needle: string
  readonly matches: readonly Match[]
  readonly current: number
  readonly setNeedle: (needle: string) => void
  readonly step: (by: 1 | -1) => void
}

/** Searches a text while somebody types. */
export function useFind(text: string): Find {
  const [needle, setNeedle] = useState('')
  const [matches, setMatches] = useState<readonly Match[]>([])
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    setMatches([])
    setCurrent(0)
    if (needle === '') return
    const control = new AbortController()
    const run = async () => {
      // Few readers of JSON search it.
      const { findInText } = await import('./find.ts')
      let all: Match[] = []
      for await (const found of findInText(text, needle, { matchesMax, signal: control.signal })) {
        all = [...all, ...found]
        if (control.signal.aborted) return
        setMatches(all)
      }
    }
    const timer = setTimeout(() => void run().catch(showError), 120)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text, needle])
  const step = (by: 1 | -1) =>
    setCurrent((at) => (matches.length === 0 ? 0 : (at + by + matches.length) % matches.length))
  return { needle, matches, current, setNeedle, step }
}
