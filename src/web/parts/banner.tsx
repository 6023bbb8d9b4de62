import { CircleCheck, Info, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import css from './banner.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { StatusIcon } from './status-icon.tsx'

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
