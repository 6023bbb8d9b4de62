import css from './live-dot.module.css'

/** A dot with a ring that fades: something is listened to. */
export const LiveDot = ({ quiet = false }: { quiet?: boolean }) => (
  <span class={quiet ? css.quiet : css.dot} aria-hidden />
)
