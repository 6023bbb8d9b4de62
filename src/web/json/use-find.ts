import { useEffect, useState } from 'preact/hooks'
import { findInText, type Match } from './find.ts'

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
      let all: Match[] = []
      for await (const found of findInText(text, needle, control.signal)) {
        all = [...all, ...found]
        if (control.signal.aborted) return
        setMatches(all)
      }
    }
    const timer = setTimeout(() => void run(), 120)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text, needle])
  const step = (by: 1 | -1) =>
    setCurrent((at) => (matches.length === 0 ? 0 : (at + by + matches.length) % matches.length))
  return { needle, matches, current, setNeedle, step }
}
