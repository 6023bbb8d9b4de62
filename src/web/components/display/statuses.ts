import { isKeyOf } from '../../../lib/present.ts'
import { partsText } from '../../text/parts.ts'

const statuses = {
  success: 'var(--ok)',
  running: 'var(--accent)',
  descendant_error: 'var(--warn)',
  error: 'var(--error)',
  warning: 'var(--warn)',
  cancelled: 'var(--text-3)',
} as const

/** How a call went. */
export type Status = keyof typeof statuses

/** The status that the server names; anything unknown counts as running. */
export const statusOf = (name: string | null | undefined): Status =>
  name && isKeyOf(statuses, name) ? name : 'running'

/** Colour of a status, as a CSS value. */
export const statusColor = (status: Status): string => statuses[status]

/** Word for a status. */
export const statusName = (status: Status): string => partsText.statuses[status]
