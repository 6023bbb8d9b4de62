import type { ComponentChildren } from 'preact'
import css from './facts.module.css'

/** Names and values, or names and controls, one a line. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
}) => (
  <dl class={css.facts}>
    {facts.map(([name, value], index) => (
      <div key={index} class={css.fact}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
