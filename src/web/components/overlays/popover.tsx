import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from '../display/class-names.ts'
import { placeBeside } from './place-beside.ts'
import css from './popover.module.css'

/**
 * A box over the page beside its anchor. It closes by itself on escape and on a press elsewhere,
 * and gives the focus back.
 */
export function Popover({
  open,
  onClose,
  anchor,
  side = 'start',
  label,
  role,
  class: className,
  children,
}: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useLayoutEffect(() => {
    const element = box.current
    if (!element || !open) return
    const place = () => anchor.current && placeBeside(element, anchor.current, side)
    element.showPopover()
    place()
    const resized = new ResizeObserver(place)
    resized.observe(element)
    addEventListener('resize', place)
    return () => {
      resized.disconnect()
      removeEventListener('resize', place)
    }
  }, [open])

  useEffect(() => {
    const element = box.current
    if (!element || !open) return
    const closed = (event: Event) => event instanceof ToggleEvent && event.newState === 'closed' && close.current()
    element.addEventListener('toggle', closed)
    return () => element.removeEventListener('toggle', closed)
  }, [open])

  if (!open) return null
  return (
    <div ref={box} popover="auto" role={role ?? 'dialog'} aria-label={label} class={classNames(css.popover, className)}>
      {children}
    </div>
  )
}

interface PopoverProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly anchor: RefObject<HTMLElement | null>
  /** Edge of the anchor that the box keeps to. */
  readonly side?: 'start' | 'end'
  readonly label?: string | undefined
  readonly role?: 'dialog' | 'menu' | 'listbox' | undefined
  readonly class?: string | undefined
  readonly children: ComponentChildren
}
