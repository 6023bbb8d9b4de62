import { previewParts } from '../preview-parts.ts'
import css from './cells.module.css'

/**
 * Preview of a payload in one line: text as it is, members of an object with their names in grey.
 */
export const preview = (text: string) => (
  <>
    {previewParts(text).map(({ name, value }, index) => (
      <span key={index}>
        {index > 0 && ' '}
        {name !== '' && !isProse(value) && <span class={css.memberName}>{name} </span>}
        {value}
      </span>
    ))}
  </>
)

/** Prose speaks for itself. */
const isProse = (value: string): boolean => value.length > 12 && value.includes(' ')
