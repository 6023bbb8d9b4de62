import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Height of an element in pixels, followed as it changes; 0 until it is there. */
export function useHeight(element: RefObject<Element | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const watch = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)))
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [])
  return height
}
