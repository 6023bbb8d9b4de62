const gap = 4
const margin = 8

/**
 * Moves a box of the top layer below its anchor, or above it where there is more space, and within
 * the window.
 */
export function placeBeside(box: HTMLElement, anchor: HTMLElement, side: 'start' | 'end'): void {
  const at = anchor.getBoundingClientRect()
  const below = innerHeight - at.bottom - gap - margin
  const above = at.top - gap - margin
  const goesUp = box.scrollHeight > below && above > below
  box.style.maxHeight = `${Math.max(goesUp ? above : below, 120)}px`
  const { offsetWidth: width, offsetHeight: height } = box
  const wanted = side === 'start' ? at.left : at.right - width
  box.style.left = `${Math.max(margin, Math.min(wanted, innerWidth - width - margin))}px`
  box.style.top = `${goesUp ? at.top - gap - height : at.bottom + gap}px`
}
