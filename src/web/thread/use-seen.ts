import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether an element was in view, or nearly. */
export function useSeen(box: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return isSeen
}
