import { itemAt } from '../../lib/present.ts'
import css from './run-mark.module.css'

/** Letter of a run: A, B, … */
export const runLetter = (place: number): string => String.fromCharCode(65 + (place % 26))

const shapes = [
  'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  'M2 2h8v8h-8z',
  'M6 1.5L11 10.5H1z',
  'M6 1L11 6L6 11L1 6z',
]

/** Shape of a run inside another drawing of 12 × 12; a ring with its letter from the fifth on. */
export const RunShape = ({ place }: { place: number }) =>
  place < shapes.length ? (
    <path d={itemAt(shapes, place)} fill="currentColor" />
  ) : (
    <>
      <circle cx="6" cy="6" r="5.4" fill="var(--surface)" stroke="currentColor" stroke-width="1.2" />
      <text x="6" y="8.6" text-anchor="middle" font-size="7.5" font-weight="600" fill="currentColor">
        {runLetter(place)}
      </text>
    </>
  )

/** Class of the colour of a run. */
export const runColor = (place: number): string => itemAt(colors, Math.min(place, colors.length - 1)) ?? ''

const colors = [css.a, css.b, css.c, css.d, css.other]

/** Shape, colour and, where it does not stand beside, letter of a run. */
export const RunMark = ({ place, letter = false }: { place: number; letter?: boolean }) => (
  <span class={css.mark}>
    <svg width="12" height="12" viewBox="0 0 12 12" class={runColor(place)} aria-hidden>
      <RunShape place={place} />
    </svg>
    {letter ? <strong>{runLetter(place)}</strong> : <span class="sr-only">{runLetter(place)}</span>}
  </span>
)
