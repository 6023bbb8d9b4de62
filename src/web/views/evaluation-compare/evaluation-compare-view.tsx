import { Download, FlaskConical, SquareTerminal } from 'lucide'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { ComparedRows } from '../../../domains/evaluations/index.ts'
import { Problem } from '../../api/client.ts'
import {
  chosenOf,
  comparisonUrl,
  type LetteredRun,
  orders,
  type RowsAsked,
  rowsQuery,
  runsOf,
  type ScoreChoice,
  verdictsAsked,
  verdictsQuery,
} from '../../comparison/comparison-data.ts'
import { AddRun, GateDialog, ScoresDialog } from '../../comparison/dialogs.tsx'
import { exportRows } from '../../comparison/export-rows.ts'
import { Grid, type GridHandle } from '../../comparison/grid.tsx'
import { rowQueryOf } from '../../comparison/row-query.ts'
import { RowTools } from '../../comparison/row-tools.tsx'
import { addRun, nameOf, RunChips } from '../../comparison/run-chips.tsx'
import { runLetter } from '../../comparison/run-mark.tsx'
import { SavedComparisons } from '../../comparison/saved.tsx'
import { UnfoldedRow } from '../../comparison/unfolded-row.tsx'
import { VersionBanners } from '../../comparison/version-banners.tsx'
import { Button } from '../../components/controls/button.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { evaluationsPath, tracePath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { showError } from '../../state/toasts.ts'
import { comparisonText } from '../../text/comparison.ts'
import css from './evaluation-compare-view.module.css'
import { Figures } from './figures.tsx'

/** Runs of an evaluation against a baseline. */
export default function EvaluationCompareView() {
  const projectId = useProject()
  const places = comparisonUrl.values.value.runs
  const runs = useMemo(() => runsOf(places), [places.join()])
  const back = { href: evaluationsPath(projectId), label: comparisonText.back }
  if (runs.length < 2) {
    return (
      <Page
        name={comparisonText.title}
        title={comparisonText.title}
        back={back}
        actions={<SavedComparisons projectId={projectId} runs={[]} scores={[]} />}
      >
        {runs.length > 0 && <RunChips runs={runs} baseline="" comparison={undefined} projectId={projectId} />}
        <EmptyState
          icon={FlaskConical}
          title={comparisonText.nothing}
          action={<AddRun projectId={projectId} taken={places} onAdd={addRun} />}
        >
          {comparisonText.nothingReason}
        </EmptyState>
      </Page>
    )
  }
  return <Compared projectId={projectId} runs={runs} back={back} />
}

interface ComparedProps {
  readonly projectId: string
  readonly runs: readonly LetteredRun[]
  readonly back: { readonly href: string; readonly label: string }
}

function Compared({ projectId, runs, back }: ComparedProps) {
  const values = comparisonUrl.values.value
  const [dialog, setDialog] = useState<'scores' | 'gate' | undefined>()
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
  }
  const query = useQuery({ ...rowsQuery(asked, 0), placeholderData: (before: ComparedRows | undefined) => before })
  const rows = query.data?.runs.length === runs.length ? query.data : undefined
  if (rows && rows.columns.length > 0) columns.current = rows.columns
  const choices: readonly ScoreChoice[] = [
    ...(rows?.scores ?? []),
    { score: 'cost', kind: 'mean' },
    { score: 'latency', kind: 'mean' },
  ]
  const chosen = chosenOf(choices, values.scores, rows?.scores.length ?? 0)
  const verdicts = useQuery(verdictsQuery(rows && verdictsAsked({ projectId, ids, baseline, chosen, values, rows })))
  const comparison = verdicts.data
  const names = new Map(comparison?.runs.map((run) => [run.evaluation_call_id, nameOf(run)]))
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
        <div class={css.actions}>
          <MenuButton
            label={comparisonText.chooseBaseline}
            kind="quiet"
            side="end"
            items={runs.map(({ id, place }) => ({
              label: comparisonText.makeBaseline(runLetter(place), names.get(id) ?? id),
              checked: id === baseline,
              run: () => comparisonUrl.commit({ base: id }),
            }))}
          >
            {comparisonText.baselineIs(letter)}
          </MenuButton>
          <Button icon={Download} busy={exported !== undefined} disabled={!rows} onClick={() => void download()}>
            {exported === undefined
              ? comparisonText.exportCsv
              : comparisonText.exporting(exported, rows?.total_rows ?? 0)}
          </Button>
          <Button icon={SquareTerminal} disabled={!rows} onClick={() => setDialog('gate')}>
            {comparisonText.gate}
          </Button>
          <SavedComparisons
            projectId={projectId}
            runs={[baseline, ...ids.filter((id) => id !== baseline)]}
            scores={values.scores}
          />
        </div>
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
      <RunChips runs={runs} baseline={baseline} comparison={comparison} projectId={projectId} />
      {query.error && !rows ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : rows === undefined ? (
        <LoadingRows columns="286px 1fr 1fr 1fr" rows={16} height={34} what={comparisonText.reading} />
      ) : (
        <>
          {comparison && <VersionBanners differing={comparison.differing_versions} runs={runs} />}
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
      {dialog === 'scores' && (
        <ScoresDialog
          {...{ choices, chosen, same: values.same, low: values.low }}
          onClose={() => setDialog(undefined)}
          onDone={(changes) => {
            comparisonUrl.commit(changes)
            setDialog(undefined)
          }}
        />
      )}
      {dialog === 'gate' && (
        <GateDialog
          {...{ projectId, runs, baseline, same: values.same, low: values.low }}
          scores={choices.filter(({ score }) => chosen.includes(score))}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Page>
  )
}

const isOnPage = ({ target }: KeyboardEvent): boolean =>
  target === document.body || (target instanceof HTMLElement && target.role === 'treegrid')
