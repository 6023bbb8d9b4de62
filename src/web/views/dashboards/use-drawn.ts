import { useRef, useState } from 'preact/hooks'

/** How many cards have no data, and how long it took to draw all of them. */
export function useDrawn(count: number) {
  const begun = useRef(performance.now())
  const known = useRef(new Map<string, boolean>())
  const [state, setState] = useState<{ readonly withoutData: number; readonly ms: number | undefined }>({
    withoutData: 0,
    ms: undefined,
  })
  const settled = (id: string, hasData: boolean): void => {
    known.current.set(id, hasData)
    const withoutData = [...known.current.values()].filter((has) => !has).length
    const ms = state.ms ?? (known.current.size >= count ? performance.now() - begun.current : undefined)
    setState((before) => ({ withoutData, ms: before.ms ?? ms }))
  }
  return { ...state, settled }
}
