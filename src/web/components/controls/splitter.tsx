import { useRef } from 'preact/hooks'
import css from './splitter.module.css'

const step = 16

/**
 * A line between two panes that changes the width of one: by dragging, by arrows, and back to the
 * first width by a double click. `grows` says in which direction the pane gets wider.
 */
export function Splitter({ width, min, max, initial, onChange, label, grows = 'right' }: SplitterProps) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined)
  const sign = grows === 'right' ? 1 : -1
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))))
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      class={css.splitter}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => from.current && set(from.current.width + sign * (event.clientX - from.current.x))}
      onPointerUp={() => {
        from.current = undefined
      }}
      onDblClick={() => set(initial)}
      onKeyDown={(event) => {
        const moved = { ArrowRight: sign * step, ArrowLeft: -sign * step }[event.key]
        if (moved === undefined) return
        event.preventDefault()
        set(width + moved)
      }}
    />
  )
}

interface SplitterProps {
  /** Width of the pane in pixels. */
  readonly width: number
  readonly min: number
  readonly max: number
  readonly initial: number
  readonly onChange: (width: number) => void
  readonly label: string
  readonly grows?: 'left' | 'right'
}
