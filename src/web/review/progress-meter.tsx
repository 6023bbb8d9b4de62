import { reviewText } from '../text/review.ts'
import css from './progress-meter.module.css'

/** How much of something is done: a bar, and the figures. */
export const ProgressMeter = ({ done, all }: { done: number; all: number }) => (
  <span class={css.meter}>
    <span class={css.bar} aria-hidden="true">
      <span style={{ width: `${(100 * done) / Math.max(1, all)}%` }} />
    </span>
    {reviewText.progress(done, all)}
  </span>
)
