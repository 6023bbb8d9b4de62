import { FlaskConical } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ComparedRows, ListedRun } from '../../../domains/evaluations/index.ts'
import { Problem } from '../../api/client.ts'
import {
  chosenOf,
  comparisonUrl,
  type LetteredRun,
  listedQuery,
  orders,
  type RowsAsked,
  rowsQuery,
  runsOf,
  type ScoreChoice,
  verdictsAsked,
  verdictsQuery,
} from '../../comparison/comparison-data.ts'
import { exportRows } from '../../comparison/export-rows.ts'
import { Grid, type GridHandle } from '../../comparison/grid.tsx'
import { MissingRuns } from '../../comparison/missing-runs.tsx'
import { rowQueryOf } from '../../comparison/row-query.ts'
import { RowTools } from '../../comparison/row-tools.tsx'
import { RunChips } from '../../comparison/run-chips.tsx'
import { runLetter } from '../../comparison/run-mark.tsx'
import { nameOf } from '../../comparison/run-name.ts'
import { UnfoldedRow } from '../../comparison/unfolded-row.tsx'
import { VersionBanners } from '../../comparison/version-banners.tsx'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { evaluationsPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { showError } from '../../state/toasts.ts'
import { comparisonText } from '../../text/evaluation/comparison.ts'
import { CompareActions } from './compare-actions.tsx'
import { type CompareDialog, CompareDialogs } from './compare-dialogs.tsx'
import css from './evaluation-compare-view.module.css'
import { Figures } from './figures.tsx'
import { TooFewRuns } from './too-few-runs.tsx'

/** Runs of an evaluation against a baseline. */
export default function EvaluationCompareView() {
  const projectId = useProject()
  const places = comparisonUrl.values.value.runs
  const runs = useMemo(() => runsOf(places), [places.join()])
  const back = { href: evaluationsPath(projectId), label: comparisonText.back }
  const {
    data: listed,
    error,
    refetch,
  } = useQuery(
    listedQuery(
      projectId,
      runs.map(({ id }) => id),
    ),
  )
  const gone = listed === undefined ? [] : runs.filter(({ id }) => !listed.has(id))
  const notBegun = runs.filter(({ id }) => listed?.get(id)?.rows_begun === 0)
  const left = runs.filter((run) => !gone.includes(run) && !notBegun.includes(run))
  const running = left.filter(({ id }) => listed?.get(id)?.state === 'running')
  const notes = <MissingRuns gone={gone} notBegun={notBegun} running={running} />
  if (left.length < 2) return <TooFewRuns {...{ projectId, runs, listed, notes, back }} />
  const isKnown = listed !== undefined || error !== null
  const readAgain = () => void refetch()
  return <Compared {...{ projectId, runs: left, all: runs, listed, isKnown, notes, back, readAgain }} />
}

interface ComparedProps {
  readonly projectId: string
  /** Those that are compared. */
  readonly runs: readonly LetteredRun[]
  /** Those of the address. */
  readonly all: readonly LetteredRun[]
  readonly listed: ReadonlyMap<string, ListedRun> | undefined
  /** Whether it is known which runs there are. */
  readonly isKnown: boolean
  /** What is said of runs that are not compared. */
  readonly notes: ComponentChildren
  readonly back: { readonly href: string; readonly label: string }
  /** Finds out which runs there are now. */
  readonly readAgain: () => void
}

function Compared({ projectId, runs, all, listed, isKnown, notes, back, readAgain }: ComparedProps) {
  const values = comparisonUrl.values.value
  const [dialog, setDialog] = useState<CompareDialog>()
  const [exported, setExported] = useState<number | undefined>()
  const [at, setAt] = useState(0)
  const grid = useRef<GridHandle>(null)
  const filter = useRef<HTMLInputElement>(null)
  const columns = useRef<readonly string[]>([])
  const ids = runs.map(({ id }) => id)
  const baseline = ids.includes(values.base) ? values.base : (ids[0] ?? '')
  const asked: RowsAsked = {
    projectId,
    ids,
    baseline,
    score: values.by || values.scores.find((score) => score !== 'cost' && score !== 'latency'),
    margin: undefined,
    lowerIsBetter: values.low.includes(values.by || values.scores[0] || ''),
    show: values.show,
    sort: values.sort,
    sortRun: ids.includes(values.in) ? values.in : undefined,
    query: rowQueryOf(values.f, columns.current),
    sliceBy: values.slice || undefined,
    stamp: ids.map((id) => listed?.get(id)?.state ?? '').join(' '),
  }
  const query = useQuery({
    ...rowsQuery(asked, 0),
    enabled: isKnown,
    placeholderData: (before: ComparedRows | undefined) => before,
  })
  // A run was deleted while the page was open: the others are compared once the list says so.
  const isGone = query.error instanceof Problem && query.error.status === 404
  useEffect(() => {
    if (isGone) readAgain()
  }, [isGone])
  const rows = query.data?.runs.length === runs.length ? query.data : undefined
  if (rows && rows.columns.length > 0) columns.current = rows.columns
  const choices: readonly ScoreChoice[] = [
    ...(rows?.scores ?? []),
    { score: 'cost', kind: 'mean' },
    { score: 'latency', kind: 'mean' },
  ]
  const chosen = chosenOf(choices, values.scores, rows?.scores.length ?? 0)
  const verdicts = useQuery(
    verdictsQuery(rows && verdictsAsked({ projectId, ids, baseline, chosen, values, rows, stamp: asked.stamp })),
  )
  const comparison = verdicts.data
  const names = new Map([...(listed ?? [])].map(([id, run]) => [id, nameOf(run)]))
  const traces = new Map(comparison?.runs.map((run) => [run.evaluation_call_id, run.trace_id]))
  const letter = runLetter(runs.find(({ id }) => id === baseline)?.place ?? 0)

  const go = (to: number) => {
    const next = Math.min((rows?.total_rows ?? 1) - 1, Math.max(0, to))
    setAt(next)
    grid.current?.show(next)
  }
  const unfold = () => {
    const row = grid.current?.rowAt(at)
    if (row) comparisonUrl.replace({ open: values.open === row.row_digest ? '' : row.row_digest })
  }
  const openTrace = () => {
    const cells = grid.current?.rowAt(at)?.runs ?? []
    const index = Math.max(
      0,
      cells.findIndex((cell) => cell?.change != null),
    )
    const [id, cell] = [ids[index], cells[index]]
    if (id !== undefined && cell) navigate(tracePath(projectId, traces.get(id) ?? id, cell.predict_and_score_call_id))
  }
  useKeys([
    { keys: 'j', does: comparisonText.keys.next, run: () => go(at + 1) },
    { keys: 'k', does: comparisonText.keys.previous, run: () => go(at - 1) },
    { keys: 'Space', does: comparisonText.keys.unfold, run: (event) => isOnPage(event) && unfold() },
    { keys: 'Enter', does: comparisonText.keys.traces, run: (event) => isOnPage(event) && openTrace() },
    {
      keys: 'r',
      does: comparisonText.keys.regressions,
      run: () => comparisonUrl.commit({ show: values.show === 'regressions' ? 'all' : 'regressions' }),
    },
    { keys: 'f', does: comparisonText.keys.filter, run: () => filter.current?.focus() },
  ])

  const download = async () => {
    setExported(0)
    try {
      const named = new Map(runs.map(({ id, place }) => [id, `${runLetter(place)} ${names.get(id) ?? id}`]))
      await exportRows(asked, named, setExported)
    } catch (error) {
      showError(error)
    }
    setExported(undefined)
  }
  return (
    <Page
      name={comparisonText.title}
      class={css.body}
      back={back}
      title={
        <>
          {comparisonText.title}
          {comparison && (
            <span class={css.what}>
              {comparisonText.what(
                runs.length - 1,
                comparisonText.rowsOf(comparison.shared_row_count, comparison.row_count),
              )}
            </span>
          )}
        </>
      }
      actions={
        <CompareActions
          {...{ projectId, runs, baseline, exported }}
          scores={values.scores}
          nameOf={(id) => names.get(id) ?? id}
          rowCount={rows?.total_rows}
          onExport={() => void download()}
          onGate={() => setDialog('gate')}
          onPairs={() => setDialog('pairs')}
        />
      }
      foot={{
        facts: rows && (
          <>
            <span>{comparisonText.footRows(rows.total_rows, rows.counts.all)}</span>
            {rows.counts.incomplete > 0 && <span>{comparisonText.footLeftOut(rows.counts.incomplete)}</span>}
          </>
        ),
        keys: [
          ['J K', comparisonText.keys.row],
          ['Space', comparisonText.keys.unfoldShort],
          ['↵', comparisonText.keys.tracesShort],
          ['R', comparisonText.keys.regressionsShort],
        ],
      }}
    >
      <RunChips runs={all} baseline={baseline} listed={listed} projectId={projectId} />
      {notes}
      {query.error && !rows ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : rows === undefined ? (
        <LoadingRows columns="286px 1fr 1fr 1fr" rows={16} height={34} what={comparisonText.reading} />
      ) : (
        <>
          {comparison && <VersionBanners comparison={comparison} runs={runs} />}
          <Figures
            verdicts={verdicts}
            runs={runs}
            score={rows.score ?? ''}
            axis={values.axis}
            onChange={() => setDialog('scores')}
          />
          <RowTools
            rows={rows}
            runs={runs}
            letter={letter}
            filter={filter}
            sorts={orders}
            nameOf={(id) => names.get(id) ?? id}
          />
          {rows.total_rows === 0 ? (
            <EmptyState
              icon={FlaskConical}
              title={comparisonText.noneMatch}
              action={
                <Button onClick={() => comparisonUrl.commit({ show: 'all', f: '' })}>{comparisonText.showAll}</Button>
              }
            >
              {query.error instanceof Problem ? query.error.message : comparisonText.noneMatchReason}
            </EmptyState>
          ) : (
            <Grid
              asked={asked}
              first={rows}
              runs={runs}
              nameOf={(id) => names.get(id) ?? id}
              at={at}
              open={values.open}
              grid={grid}
              onRow={(place, digest) => {
                setAt(place)
                comparisonUrl.replace({ open: digest ?? '' })
              }}
              unfolded={(row) => (
                <UnfoldedRow
                  projectId={projectId}
                  digest={row.row_digest}
                  runs={runs}
                  baseline={baseline}
                  traces={traces}
                  isMarked={values.diff === 'on'}
                />
              )}
            />
          )}
        </>
      )}
      <CompareDialogs
        {...{ dialog, projectId, runs, baseline, asked, rows, choices, chosen }}
        nameOf={(id) => names.get(id) ?? id}
        onClose={() => setDialog(undefined)}
      />
    </Page>
  )
}

const isOnPage = ({ target }: KeyboardEvent): boolean =>
  target === document.body || (target instanceof HTMLElement && target.role === 'treegrid')
