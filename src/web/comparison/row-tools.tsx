import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ComparedRows } from '../../domains/evaluations/index.ts'
import { scoreText } from '../../lib/comparison-words.ts'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { SearchField } from '../components/controls/search-field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { Table } from '../components/display/table.tsx'
import { formatCount } from '../format/number.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { comparisonUrl, type LetteredRun, type orders, shownChoices } from './comparison-data.ts'
import css from './row-tools.module.css'
import { RunMark } from './run-mark.tsx'

interface RowToolsProps {
  readonly rows: ComparedRows
  readonly runs: readonly LetteredRun[]
  /** Letter of the baseline. */
  readonly letter: string
  readonly filter: RefObject<HTMLInputElement | null>
  readonly sorts: typeof orders
  readonly nameOf: (id: string) => string
}

const settledMs = 300

/** Which rows are shown, in which order, by which score. */
export function RowTools({ rows, runs, letter, filter, sorts, nameOf }: RowToolsProps) {
  const { show, sort, f, diff, slice } = comparisonUrl.values.value
  const [typed, setTyped] = useState(f)
  useEffect(() => setTyped(f), [f])
  useEffect(() => {
    if (typed === f) return
    const timer = setTimeout(() => comparisonUrl.replace({ f: typed }), settledMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { counts } = rows
  const columns = [...new Set([...rows.columns, ...(slice === '' ? [] : [slice])])]
  return (
    <>
      <div class={css.tools}>
        <strong>{comparisonText.rows}</strong>
        <Segments
          label={comparisonText.showLabel}
          options={shownChoices.map((id) => ({
            id,
            label: (
              <>
                {comparisonText.show[id]} <span class={css.count}>{formatCount(counts[id])}</span>
              </>
            ),
          }))}
          current={show}
          onSelect={(next) => comparisonUrl.commit({ show: next })}
        />
        <SearchField
          label={comparisonText.filterHint}
          value={typed}
          onType={setTyped}
          onEnter={() => comparisonUrl.commit({ f: typed })}
          hint="F"
          inputRef={filter}
          class={css.filter}
        />
        {f !== '' && <span class={css.count}>{comparisonText.slice(counts.all, counts.regressions)}</span>}
        <Checkbox
          checked={diff === 'on'}
          onChange={(checked) => comparisonUrl.replace({ diff: checked ? 'on' : 'off' })}
        >
          {comparisonText.changes(letter)}
        </Checkbox>
        {rows.scores.length > 1 && (
          <Select
            label={comparisonText.rowsBy}
            hideLabel
            class={css.choice}
            value={rows.score ?? ''}
            options={rows.scores.map(({ score }) => ({ id: score, label: score }))}
            onChange={(by) => comparisonUrl.commit({ by })}
          />
        )}
        <Select
          label={comparisonText.sortLabel}
          hideLabel
          class={css.choice}
          value={sort}
          options={sorts.map((id) => ({ id, label: comparisonText.sort[id] }))}
          onChange={(next) => comparisonUrl.commit({ sort: next })}
        />
        <Select
          label={comparisonText.sliceBy}
          hideLabel
          class={css.choice}
          value={slice}
          options={[
            { id: '', label: `${comparisonText.sliceBy} ${comparisonText.noSlice}` },
            ...columns.map((id) => ({ id, label: `${comparisonText.sliceBy} ${id}` })),
          ]}
          onChange={(next) => comparisonUrl.commit({ slice: next })}
        />
      </div>
      {slice !== '' && (
        <div class={css.slices}>
          <Table
            label={comparisonText.slices}
            columns={[
              { id: 'value', name: slice, isWide: true },
              { id: 'rows', name: comparisonText.sliceRows, isNumber: true },
              ...runs.map(({ id, place }) => ({
                id,
                name: (
                  <>
                    <RunMark place={place} letter /> <bdi>{nameOf(id)}</bdi>
                  </>
                ),
                isNumber: true,
              })),
            ]}
            rows={rows.slices.map(({ value, row_count, runs: figures }) => ({
              id: value,
              cells: {
                value: (
                  <button
                    type="button"
                    class={css.value}
                    onClick={() => comparisonUrl.commit({ f: `${slice} = ${value}` })}
                  >
                    <bdi>{value.slice(0, 200)}</bdi>
                  </button>
                ),
                rows: formatCount(row_count),
                ...Object.fromEntries(
                  figures.map(({ evaluation_call_id, value: mean, scored_rows }) => [
                    evaluation_call_id,
                    comparisonText.average(
                      scoreText(rows.scores.find(({ score }) => score === rows.score)?.kind ?? 'mean', mean),
                      scored_rows,
                    ),
                  ]),
                ),
              },
            }))}
          />
        </div>
      )}
    </>
  )
}
