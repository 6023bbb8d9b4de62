import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import css from './card.module.css'
import { Icon } from './icon.tsx'

/** A fact or an offer in a box, with at most one button. */
export const Card = ({ icon, title, children, action }: CardProps) => (
  <section class={css.card}>
    <Icon of={icon} class={css.icon} />
    <div class={css.text}>
      <h2 class={css.title}>{title}</h2>
      <div class={css.reason}>{children}</div>
    </div>
    {action}
  </section>
)

interface CardProps {
  readonly icon: IconNode
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  readonly action?: ComponentChildren
}
