import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import css from './empty-state.module.css'

/** Shown in place of an empty list: a fact, a reason, and one button that helps. */
export const EmptyState = ({ icon, title, children, action, tone = 'neutral' }: EmptyStateProps) => (
  <div class={css.empty} role={tone === 'error' ? 'alert' : undefined}>
    <span class={classNames(css.icon, tone === 'error' && css.error)}>
      <Icon of={icon} size={24} />
    </span>
    <h2 class={css.title}>{title}</h2>
    {children && <div class={css.reason}>{children}</div>}
    {action && <div class={css.action}>{action}</div>}
  </div>
)

interface EmptyStateProps {
  readonly icon: IconNode
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
  readonly tone?: 'neutral' | 'error'
}
