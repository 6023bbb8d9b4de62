import { classNames } from '../components/display/class-names.ts'
import css from './collect.module.css'

/** Letter of a column, by its place; none after the alphabet. */
const letterOf = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : '·')

/** The letter in its box: filled once a value is mapped. */
export const ColumnLetter = ({ index, isMapped }: { index: number; isMapped: boolean }) => (
  <span class={classNames(css.letter, isMapped && css.mapped)} aria-hidden>
    {letterOf(index)}
  </span>
)
