import { ScoreMark } from '../../../components/display/score-mark.tsx'
import css from './rules.module.css'

interface ScoreCellProps {
  readonly scorer: string
  readonly value: unknown
  readonly error: string | null
}

/** What a scorer says about a call: each of its values, or why it failed. */
export const ScoreCell = ({ scorer, value, error }: ScoreCellProps) => (
  <div class={css.score}>
    <span class={css.dim}>{scorer}</span>
    {error === null ? (
      valuesIn(value).map(([name, each]) => (
        <span key={name} class={css.value}>
          {name !== '' && <span class={css.dim}>{name}</span>}
          <ScoreMark value={each} type={typeof each === 'boolean' ? 'verdict' : 'text'} />
        </span>
      ))
    ) : (
      <span class={css.failed}>{error}</span>
    )}
  </div>
)

/** The values of a score by name; one without names has an empty one. */
function valuesIn(value: unknown): [name: string, value: number | boolean | string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [['', shown(value)]]
  return Object.entries(value).map(([name, each]) => [name, shown(each)])
}

const shown = (value: unknown): number | boolean | string =>
  typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
