import { CircleCheck, Info, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { classNames } from '../display/class-names.ts'
import { Icon } from '../display/icon.tsx'
import { StatusIcon } from '../display/status-icon.tsx'
import css from './banner.module.css'

/** One sentence across the page, with at most one quiet button. */
export const Banner = ({ tone = 'warn', children, action }: BannerProps) => (
  <div class={classNames(css.banner, css[tone])} role={tone === 'error' ? 'alert' : 'status'}>
    {tone === 'error' ? <StatusIcon status="error" hidden /> : <Icon of={icons[tone]} />}
    <span class={css.text}>{children}</span>
    {action}
  </div>
)

const icons = { warn: TriangleAlert, ok: CircleCheck, info: Info }

interface BannerProps {
  readonly tone?: 'warn' | 'error' | 'ok' | 'info'
  readonly children: ComponentChildren
  readonly action?: ComponentChildren
}
