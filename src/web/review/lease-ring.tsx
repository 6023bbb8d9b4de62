import { useEffect, useState } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { reviewText } from '../text/review.ts'
import css from './lease-ring.module.css'

const radius = 6
const around = 2 * Math.PI * radius
const lateSeconds = 60

/** How long an item is still kept for the reviewer: an arc, and minutes. */
export function LeaseRing({ until, seconds }: { until: string; seconds: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.min(seconds, Math.max(0, Math.round((Date.parse(until) - now) / 1_000)))
  const isLate = left < Math.min(lateSeconds, seconds / 3)
  return (
    <span class={classNames(css.lease, isLate && css.late)} data-tip={reviewText.leaseTip}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r={radius} class={css.track} />
        <circle
          cx="8"
          cy="8"
          r={radius}
          class={css.arc}
          transform="rotate(-90 8 8)"
          stroke-dasharray={`${(around * left) / seconds} ${around}`}
        />
      </svg>
      <span class={css.words}>{reviewText.yoursFor} </span>
      {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
    </span>
  )
}
