import { Check, CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide'
import { Icon } from './icon.tsx'
import css from './status-icon.module.css'
import { type Status, statusColor, statusName } from './statuses.ts'

/**
 * Icon of a status. In lists the normal case is a grey tick, so that the exception is found without
 * reading; elsewhere it is green in a ring.
 */
export function StatusIcon({ status, inList = false, size = 16, hidden = false }: StatusIconProps) {
  const label = hidden ? undefined : statusName(status)
  const color = inList && status === 'success' ? 'var(--text-3)' : statusColor(status)
  return (
    <span class={css.icon} style={{ color }}>
      {drawn(status, inList, size, label)}
    </span>
  )
}

interface StatusIconProps {
  readonly status: Status
  readonly inList?: boolean
  readonly size?: number
  /** For places where the word is beside the icon. */
  readonly hidden?: boolean
}

function drawn(status: Status, inList: boolean, size: number, label: string | undefined) {
  switch (status) {
    case 'success':
      return <Icon of={inList ? Check : CircleCheck} size={size} label={label} />
    case 'running':
      return <Ring size={size} label={label} />
    case 'descendant_error':
      return <Icon of={CircleAlert} size={size} label={label} />
    case 'error':
      return <Disc size={size} label={label} />
    case 'warning':
      return <Icon of={TriangleAlert} size={size} label={label} />
    case 'cancelled':
      return <Icon of={CircleDashed} size={size} label={label} />
  }
}

interface DrawnProps {
  readonly size: number
  readonly label: string | undefined
}

const named = (label: string | undefined) =>
  label === undefined ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': label } as const)

/** Three quarters of a ring, turning. */
const Ring = ({ size, label }: DrawnProps) => (
  <svg class={css.turning} width={size} height={size} viewBox="0 0 16 16" fill="none" {...named(label)}>
    <circle cx="8" cy="8" r="5.5" stroke="currentColor" stroke-opacity="0.25" stroke-width="1.6" />
    <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
  </svg>
)

/** The only filled icon. */
const Disc = ({ size, label }: DrawnProps) => (
  <svg width={size} height={size} viewBox="0 0 16 16" {...named(label)}>
    <circle cx="8" cy="8" r="6.5" fill="currentColor" />
    <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" stroke="var(--surface)" stroke-width="1.5" stroke-linecap="round" />
  </svg>
)
