import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { traceText } from '../../text/trace/trace.ts'
import css from './sheet.module.css'

const heights = { low: 0.36, middle: 0.6, high: 0.92 }

/** On a phone: what is open, over the lower part of the page. The grip pulls it up and down. */
export default function Sheet({ children }: { children: ComponentChildren }) {
  const [share, setShare] = useState(heights.middle)
  const from = useRef<{ y: number; share: number } | undefined>(undefined)
  const settle = (next: number) => {
    const nearest = Object.values(heights).reduce((a, b) => (Math.abs(b - next) < Math.abs(a - next) ? b : a))
    setShare(nearest)
  }
  return (
    <aside class={css.sheet} style={{ height: `${share * 100}%` }} aria-label={traceText.call}>
      <button
        type="button"
        class={css.grip}
        aria-label={share === heights.high ? traceText.sheetDown : traceText.sheetUp}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { y: event.clientY, share }
        }}
        onPointerMove={(event) => {
          const begun = from.current
          const height = event.currentTarget.parentElement?.parentElement?.clientHeight ?? 1
          if (begun) setShare(Math.min(0.95, Math.max(0.2, begun.share + (begun.y - event.clientY) / height)))
        }}
        onPointerUp={(event) => {
          const moved = from.current && Math.abs(from.current.y - event.clientY) > 4
          from.current = undefined
          if (moved) settle(share)
        }}
        onClick={(event) => event.detail === 0 && setShare(share === heights.high ? heights.low : heights.high)}
      />
      <div class={css.content}>{children}</div>
    </aside>
  )
}
