import { itemAt } from '../../lib/present.ts'
import css from './side-mark.module.css'

/** Letters of the sides, in order. */
export const letters = ['A', 'B', 'C', 'D'] as const

/** @throws RangeError for a fifth side */
export const letterOf = (side: number): string => itemAt(letters, side)

const shapes = [
  <circle key="a" cx="6" cy="6" r="4.5" />,
  <rect key="b" x="2" y="2" width="8" height="8" />,
  <path key="c" d="M6 1.5 11 10.5H1z" />,
  <path key="d" d="M6 1 11 6 6 11 1 6z" />,
]

/** Letter, colour and shape of a side. */
export const SideMark = ({ side }: { side: number }) => (
  <span class={css.mark} data-side={letters[side]}>
    <svg width="12" height="12" viewBox="0 0 12 12" fill="currentColor" aria-hidden>
      {shapes[side]}
    </svg>
    <strong>{letters[side]}</strong>
  </span>
)
