import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Width of an element in pixels, followed as it changes; 0 until it is there. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const watch = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [])
  return width
}
