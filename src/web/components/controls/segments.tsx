import type { ComponentChildren } from 'preact'
import css from './segments.module.css'

/** A choice between a few words in one box: `Chat | Raw`. */
export const Segments = <Id extends string>({ options, current, onSelect, label }: SegmentsProps<Id>) => (
  <fieldset class={css.segments} aria-label={label}>
    {options.map(({ id, label: name }) => (
      <button key={id} type="button" class={css.segment} aria-pressed={id === current} onClick={() => onSelect(id)}>
        {name}
      </button>
    ))}
  </fieldset>
)

interface SegmentsProps<Id extends string> {
  readonly options: readonly { readonly id: Id; readonly label: ComponentChildren }[]
  readonly current: Id
  readonly onSelect: (id: Id) => void
  readonly label: string
}
