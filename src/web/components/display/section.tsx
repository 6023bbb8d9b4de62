import type { ComponentChildren } from 'preact'
import css from './section.module.css'

/** A part of a page with a title, what it is about, and at most one button. */
export const Section = ({ title, lead, action, children }: SectionProps) => (
  <section>
    <header class={css.head}>
      <div class={css.words}>
        <h2 class={css.title}>{title}</h2>
        {lead && <p class={css.lead}>{lead}</p>}
      </div>
      {action}
    </header>
    {children}
  </section>
)

interface SectionProps {
  readonly title: ComponentChildren
  readonly lead?: ComponentChildren
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}
