import { Button } from '../../components/controls/button.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import type { Failure } from '../../sql/use-runs.ts'
import { sqlText } from '../../text/sql.ts'
import css from './sql-view.module.css'

interface FailureBarProps {
  readonly failure: Failure
  /** Whether the statement is still the one that failed. */
  readonly isHere: boolean
  readonly fix: () => void
  readonly goTo: () => void
}

/** Why the last statement has no rows, and the way to the place. */
export const FailureBar = ({ failure: { message, place, suggestion }, isHere, fix, goTo }: FailureBarProps) => (
  <div class={css.failure} role="alert">
    <StatusIcon status="error" hidden />
    {place && <strong>{sqlText.place(place.line, place.column)}</strong>}
    <span class={css.message}>{message}</span>
    {isHere && suggestion !== undefined && (
      <Button size="compact" hint="⌘." onClick={fix}>
        {sqlText.use(suggestion)}
      </Button>
    )}
    {isHere && (
      <Button size="compact" kind="quiet" hint="F8" onClick={goTo}>
        {sqlText.goTo}
      </Button>
    )}
  </div>
)
