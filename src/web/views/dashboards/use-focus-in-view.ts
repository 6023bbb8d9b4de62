import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/**
 * Scrolls to what has the focus inside a scroller whose width has changed: choosing a card opens
 * the panel beside it, and the cards then stand elsewhere.
 */
export function useFocusInView(scroller: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const resized = new ResizeObserver(() => {
      const { activeElement } = document
      if (activeElement !== element && element.contains(activeElement))
        activeElement?.scrollIntoView({ block: 'nearest' })
    })
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
}
