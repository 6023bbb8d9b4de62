import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import css from './badge.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** Meaning of a badge: a status, the accent, or a neutral fact. */
export type BadgeTone = 'neutral' | 'outline' | 'ok' | 'error' | 'warn' | 'accent'

/** A word in a small box. */
export const Badge = ({ tone = 'neutral', icon, children, tip }: BadgeProps) => (
  <span class={classNames(css.badge, css[tone])} data-tip={tip}>
    {icon && <Icon of={icon} size={12} />}
    {children}
  </span>
)

interface BadgeProps {
  readonly tone?: BadgeTone
  readonly icon?: IconNode | undefined
  readonly tip?: string | undefined
  readonly children: ComponentChildren
}
