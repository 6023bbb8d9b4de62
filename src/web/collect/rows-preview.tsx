import { Segments } from '../components/controls/segments.tsx'
import { Badge } from '../components/display/badge.tsx'
import { kindOf, previewOf } from '../dataset/cells.ts'
import { collectText } from '../text/collect.ts'
import { expectedColumn, type Mapped, type RowMade } from './call-rows.ts'
import css from './collect.module.css'
import { ColumnLetter } from './column-letter.tsx'

const rowsShown = 200

/** What becomes of rows that are there already. */
export type Already = 'skip' | 'replace' | 'keep'

/** A row, and whether the dataset has it. */
export interface RowState {
  readonly row: RowMade
  readonly state: 'new' | 'there' | 'none'
  /** Position of the row that is there. */
  readonly place: number | undefined
}

interface RowsPreviewProps {
  readonly rows: readonly RowState[]
  readonly mapping: readonly Mapped[]
  /** Index of the row whose call is shown. */
  readonly at: number
  readonly already: Already
  readonly onShow: (at: number) => void
  readonly onAlready: (already: Already) => void
}

/** The rows that the calls make, before they are stored. */
export function RowsPreview({ rows, mapping, at, already, onShow, onAlready }: RowsPreviewProps) {
  const count = (state: RowState['state']) => rows.filter((row) => row.state === state).length
  return (
    <>
      <h2 class={css.head}>
        {collectText.rowsTitle}
        <small role="status">{collectText.rowStates(count('new'), count('there'), count('none'))}</small>
        {count('there') > 0 && (
          <span class={css.already}>
            {collectText.already}
            <Segments
              label={collectText.already}
              options={[
                { id: 'skip', label: collectText.skip },
                { id: 'replace', label: collectText.replace },
                { id: 'keep', label: collectText.addAgain },
              ]}
              current={already}
              onSelect={onAlready}
            />
          </span>
        )}
      </h2>
      <div class={css.rows} tabIndex={0} role="region" aria-label={collectText.rowsTitle}>
        <table>
          <thead>
            <tr>
              <th scope="col">{collectText.callHead}</th>
              <th scope="col">{collectText.stateHead}</th>
              {mapping.map(({ column, path }, index) => (
                <th key={index} scope="col">
                  <span class={css.headOf}>
                    <ColumnLetter index={index} isMapped={path !== ''} />
                    {column}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowsShown).map(({ row, state, place }, index) => (
              <tr key={`${row.source.id} ${index}`} aria-current={index === at || undefined}>
                <td>
                  <button type="button" class={css.show} onClick={() => onShow(index)}>
                    {row.source.label}
                  </button>
                </td>
                <td>
                  <Badge tone={state === 'new' ? 'ok' : state === 'none' ? 'error' : 'neutral'}>
                    {state === 'there' ? collectText.thereAt((place ?? 0) + 1) : collectText.states[state]}
                  </Badge>
                </td>
                {mapping.map(({ column }, each) => (
                  <td key={each} dir="auto">
                    {column === expectedColumn && row.isCorrected && (
                      <Badge tone="accent">{collectText.corrected}</Badge>
                    )}{' '}
                    <Preview text={row.cells.get(column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > rowsShown && <p class={css.note}>{collectText.moreRows(rows.length - rowsShown)}</p>}
    </>
  )
}

const Preview = ({ text }: { text: string | undefined }) => (
  <>{text === undefined ? '–' : previewOf(text, kindOf(text))}</>
)
