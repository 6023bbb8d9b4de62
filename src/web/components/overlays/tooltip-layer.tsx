import { useEffect, useRef } from 'preact/hooks'
import { formatFullTime } from '../../format/time.ts'
import { placeBeside } from './place-beside.ts'
import css from './tooltip-layer.module.css'

const delayMs = 400

/**
 * One tooltip for the page. Any element gets one with `data-tip`, and names its key in
 * `data-tip-key`; rows give a time in `data-tip-time`, which is formatted when the tooltip is
 * shown. A tooltip never holds the only copy of a fact.
 */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = layer.current
    if (!box) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let shownFor: HTMLElement | undefined
    const hide = () => {
      clearTimeout(timer)
      shownFor = undefined
      if (box.matches(':popover-open')) box.hidePopover()
    }
    const show = (target: HTMLElement) => {
      if (!target.isConnected) return
      fill(box, tipOf(target), target.dataset['tipKey'])
      if (!box.matches(':popover-open')) box.showPopover()
      placeBeside(box, target, 'start')
    }
    const enter = ({ target, type }: Event) => {
      const found = target instanceof Element ? target.closest<HTMLElement>('[data-tip], [data-tip-time]') : null
      if (found === shownFor) return
      hide()
      if (!found || !hasTip(found) || (type === 'focusin' && !found.matches(':focus-visible'))) return
      shownFor = found
      timer = setTimeout(() => show(found), delayMs)
    }
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    document.addEventListener('mouseover', enter)
    document.addEventListener('focusin', enter)
    document.addEventListener('mousedown', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', leave)
    return () => {
      hide()
      document.removeEventListener('mouseover', enter)
      document.removeEventListener('focusin', enter)
      document.removeEventListener('mousedown', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', leave)
    }
  }, [])
  return <div ref={layer} popover="manual" data-tip-layer role="tooltip" class={css.tooltip} />
}

const hasTip = ({ dataset }: HTMLElement): boolean => Boolean(dataset['tip'] || dataset['tipTime'])

const tipOf = ({ dataset: { tip, tipTime } }: HTMLElement): string => tip || (tipTime ? formatFullTime(tipTime) : '')

function fill(box: HTMLElement, text: string, key: string | undefined): void {
  box.textContent = text
  if (!key) return
  const hint = document.createElement('kbd')
  hint.textContent = key
  hint.className = css.key ?? ''
  box.append(hint)
}
