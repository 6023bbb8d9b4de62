import { Undo2 } from 'lucide'
import { Button } from '../components/controls/button.tsx'
import { typedOf } from '../dataset/cells.ts'
import { SideDiff } from '../diff/side-diff.tsx'
import { sideRows } from '../diff/side-rows.ts'
import { collectText } from '../text/collect.ts'
import { expectedColumn } from './call-rows.ts'
import css from './collect.module.css'

interface CorrectionProps {
  /** The output as JSON text; undefined if the call has none. */
  readonly output: string | undefined
  readonly correction: string | undefined
  readonly onChange: (correction: string | undefined) => void
}

/** What the output of a call should have been, beside what it was. */
export function Correction({ output, correction, onChange }: CorrectionProps) {
  const was = typedOf(output)
  return (
    <section class={css.correct}>
      <div class={css.over}>
        <span aria-hidden>{collectText.correct(expectedColumn)}</span>
        {correction !== undefined && (
          <Button size="compact" kind="quiet" icon={Undo2} onClick={() => onChange(undefined)}>
            {collectText.asItWas}
          </Button>
        )}
      </div>
      <textarea
        aria-label={collectText.correct(expectedColumn)}
        placeholder={output === undefined ? collectText.noOutput : undefined}
        dir="auto"
        rows={2}
        value={correction ?? was}
        onInput={({ currentTarget: { value } }) => onChange(value === was ? undefined : value)}
      />
      {correction !== undefined && was !== '' && (
        <div class={css.changed}>
          <SideDiff
            rows={sideRows(was, correction)}
            layout="inline"
            prose={(text) => [{ kind: 'text', text }]}
            label={collectText.difference}
          />
        </div>
      )}
    </section>
  )
}
