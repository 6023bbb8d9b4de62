import { useEffect, useMemo } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import { SideDiff } from '../diff/side-diff.tsx'
import { sideRows } from '../diff/side-rows.ts'
import { useKeys } from '../state/keys.ts'
import { useQuery } from '../state/query-signal.ts'
import { datasetText } from '../text/dataset.ts'
import { versionText } from '../text/version.ts'
import { compareUrl } from '../versions/compare-url.ts'
import { type ObjectVersion, versionNamed } from '../versions/objects.ts'
import { CompareBar, SideHeads, SwapButton, stepChange, useLayout } from '../versions/version-diff.tsx'
import { kindOf, typedOf } from './cells.ts'
import css from './dataset-compare.module.css'
import type { DatasetVersion } from './datasets.ts'
import { type Edits, editedText, rowAt } from './edits.ts'
import { type DigestedRow, diffRows, type RowChange, readDiff } from './row-diff.ts'
import { streamRows } from './table-rows.ts'

/** Larger versions are not read into the page to compare them with changes that are not saved. */
const rowsMax = 50_000
const changesShown = 300

interface DatasetCompareProps {
  readonly projectId: string
  readonly versions: readonly ObjectVersion[]
  readonly tables: ReadonlyMap<string, DatasetVersion>
  /** Changes that are not saved: they stand for the version `draft`. */
  readonly edits: Edits | undefined
  /** The version that they start from. */
  readonly started: ObjectVersion | undefined
}

/** Two versions of a dataset row by row: which came, went and changed, and in which cells. */
export default function DatasetCompare({ projectId, versions, tables, edits, started }: DatasetCompareProps) {
  const { from, to } = compareUrl.values.value
  const isDraft = to === 'draft' && edits !== undefined && started !== undefined
  const left = versionNamed(versions, from)
  const right = isDraft ? started : versionNamed(versions, to)
  const [leftTable, rightTable] = [left, right].map((version) => version && tables.get(version.digest))
  const isTooLarge = isDraft && Math.max(leftTable?.rowCount ?? 0, rightTable?.rowCount ?? 0) > rowsMax
  const read = (table: DatasetVersion | undefined) => ({
    queryKey: ['all rows', projectId, table?.table],
    enabled: isDraft && table !== undefined && !isTooLarge,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: ({ signal }: { signal: AbortSignal }) => readRows(projectId, table?.table ?? '', signal),
  })
  const [old, now] = [useQuery(read(leftTable)), useQuery(read(rightTable))]
  const stored = useQuery({
    queryKey: ['dataset diff', projectId, left?.digest, right?.digest],
    enabled: !isDraft && left !== undefined && right !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const asked = { name: left?.object_id ?? '', from: left?.digest ?? '', to: right?.digest ?? '' }
      return readDiff(projectId, asked, { limit: changesShown, signal })
    },
  })
  const drafted = useMemo(() => {
    if (!isDraft || !edits || old.data === undefined || now.data === undefined) return undefined
    const rows = diffRows(old.data, withEdits(now.data, edits))
    const count = (kind: RowChange['kind']) => rows.filter((each) => each.kind === kind).length
    return { added: count('added'), edited: count('edited'), deleted: count('deleted'), changes: rows }
  }, [old.data, now.data, isDraft, edits])
  const diff = isDraft ? drafted : stored.data
  const changes = diff?.changes
  const more = diff === undefined ? 0 : diff.added + diff.edited + diff.deleted - changesShown
  const layout = useLayout()
  useKeys([
    { keys: 'n', does: versionText.nextChange, run: () => stepChange(1) },
    { keys: 'Shift+N', does: versionText.previousChange, run: () => stepChange(-1) },
    { keys: 'x', does: versionText.swap, run: () => !isDraft && compareUrl.commit({ from: to, to: from }) },
  ])
  useEffect(() => document.querySelector('[data-changes]')?.scrollTo({ top: 0 }), [from, to])
  const missing = left === undefined ? from : right === undefined ? to : undefined
  const failed = (isDraft ? [old, now] : [stored]).find(({ error }) => error)
  return (
    <div class={css.compare} data-changes>
      <CompareBar
        versions={versions}
        from={left?.digest ?? ''}
        to={isDraft ? 'draft' : (right?.digest ?? '')}
        draft={edits && datasetText.fromDraft}
        summary={diff && datasetText.summary(diff.added, diff.edited, diff.deleted)}
        tools={!isDraft && <SwapButton from={from} to={to} />}
      />
      {missing !== undefined ? (
        <p class={css.note}>{versionText.noSuch(missing)}</p>
      ) : isTooLarge ? (
        <p class={css.note}>{datasetText.diffTooLarge(rowsMax)}</p>
      ) : failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : changes === undefined || left === undefined ? (
        <LoadingRows columns="1fr 1fr" rows={12} height={20} what={datasetText.comparing} />
      ) : changes.length === 0 ? (
        <p class={css.note}>{datasetText.equal}</p>
      ) : (
        <>
          {layout === 'beside' && <SideHeads from={left} to={isDraft ? undefined : right} />}
          {changes.slice(0, changesShown).map((change) => (
            <Changed key={`${change.left} ${change.right}`} change={change} layout={layout} />
          ))}
          {more > 0 && <p class={css.note}>{datasetText.changeMore(more)}</p>}
        </>
      )}
    </div>
  )
}

async function readRows(projectId: string, digest: string, signal: AbortSignal): Promise<readonly DigestedRow[]> {
  const rows: DigestedRow[] = []
  for await (const batch of streamRows({ projectId, digest, sort: undefined }, { signal }))
    rows.push(...batch.map(({ row, digest: own }) => ({ digest: own, text: row.text })))
  return rows
}

/** Rows of a version with changes that are not saved. */
function withEdits(rows: readonly DigestedRow[], edits: Edits): readonly DigestedRow[] {
  const count = rows.length + edits.added.length
  return Array.from({ length: count }, (_, place) => rowAt(edits, place)).flatMap((id) => {
    if (id in edits.deleted) return []
    const added = id < 0 ? edits.added.find((row) => row.id === id) : undefined
    if (added) {
      const text = editedText('{}', added.cells)
      return [{ digest: text, text }]
    }
    const edited = edits.edited[id]
    const stored = rows[id]
    if (edited === undefined) return stored ?? []
    const text = editedText(edited.before, edited.cells)
    // The same content under another digest is no change.
    return [{ digest: text === stored?.text ? stored.digest : text, text }]
  })
}

const signs = { added: '+', edited: '~', deleted: '−' } as const

function Changed({ change, layout }: { change: RowChange; layout: 'beside' | 'inline' }) {
  const { kind, left, right, before, after, columns } = change
  const place = right ?? left ?? 0
  return (
    <section class={classNames(css.change, css[kind])} data-change aria-label={datasetText.changeKinds[kind]}>
      <div class={css.head}>
        <span class={css.sign}>{signs[kind]}</span>
        <strong>
          {datasetText.row} {datasetText.rowNumber(place)}
        </strong>
        <span class={css.hint}>
          {kind === 'edited' ? columns.join(', ') : datasetText.changeKinds[kind]}
          {left !== undefined && right !== undefined && left !== right && ` · ${datasetText.wasRow(left)}`}
        </span>
      </div>
      {columns.map((column) => (
        <div key={column} class={css.cell}>
          <span dir="auto">{column}</span>
          <SideDiff
            rows={sideRows(shown(before.get(column)), shown(after.get(column)))}
            layout={layout}
            prose={isProse(before.get(column) ?? after.get(column)) ? plainProse : undefined}
            label={column}
          />
        </div>
      ))}
    </section>
  )
}

const isProse = (text: string | undefined): boolean => kindOf(text) === 'text'
const plainProse = (text: string) => [{ kind: 'text', text }]

const shown = (text: string | undefined): string => {
  if (text === undefined) return ''
  const kind = kindOf(text)
  return kind === 'text' || kind === 'call' ? typedOf(text) : prettyJson(text)
}
