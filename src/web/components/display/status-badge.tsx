import css from './badge.module.css'
import { classNames } from './class-names.ts'
import { StatusIcon } from './status-icon.tsx'
import { type Status, statusName } from './statuses.ts'

/** A status with its word. */
export const StatusBadge = ({ status }: { status: Status }) => (
  <span class={classNames(css.badge, css.outline)}>
    <StatusIcon status={status} size={12} hidden />
    {statusName(status)}
  </span>
)
