import { useMemo } from 'preact/hooks'
import { detectableDifference } from '../../lib/detectable-difference.ts'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import { filteredMax } from './filtered.ts'
import css from './start-dialog.module.css'
import type { Choices } from './use-choices.ts'
import { filteredRows } from './use-rows.ts'

/** Which rows run, and how small a difference so many rows can show. */
export function RowFields({ choices: { rows, rowCount, hasTooManyFiltered } }: { readonly choices: Choices }) {
  const points = useMemo(() => detectableDifference(rowCount ?? 0), [rowCount])
  return (
    <>
      <div class={css.pair}>
        <Select
          label={words.rows}
          hideLabel
          value={rows.split}
          options={[
            { id: '', label: words.allRows(rows.counts?.total) },
            ...rows.names.map((id) => ({
              id,
              label:
                id === filteredRows
                  ? words.filtered(rows.counts?.bySplit.get(id))
                  : words.splitOf(id, rows.counts?.bySplit.get(id)),
            })),
          ]}
          onChange={rows.setSplit}
        />
        <Field
          label={words.firstRows}
          hideLabel
          inputmode="numeric"
          placeholder={words.firstRows}
          value={rows.limitText}
          error={rows.isLimitBad ? words.firstRowsBad : undefined}
          onInput={(event) => rows.setLimitText(event.currentTarget.value)}
        />
      </div>
      {hasTooManyFiltered && <p class={css.finds}>{words.tooManyFiltered(filteredMax)}</p>}
      {rowCount !== undefined && rowCount > 0 && (
        <p class={css.finds} data-tip={words.findsTip}>
          {words.finds(rowCount, points)}
        </p>
      )}
    </>
  )
}
