import { Download, FlaskConical, SquareTerminal, X } from 'lucide'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { ComparedRows, Comparison } from '../../../domains/evaluations/index.ts'
import { Problem } from '../../api/client.ts'
import {
  comparisonUrl,
  type LetteredRun,
  marginOf,
  orders,
  type RowsAsked,
  refName,
  rowsQuery,
  runsOf,
  type VerdictsAsked,
  verdictsQuery,
} from '../../comparison/comparison-data.ts'
import { AddRun, GateDialog, type ScoreChoice, ScoresDialog } from '../../comparison/dialogs.tsx'
import { exportRows } from '../../comparison/export-rows.ts'
import { Frontier } from '../../comparison/frontier.tsx'
import { Grid, type GridHandle } from '../../comparison/grid.tsx'
import { rowQueryOf } from '../../comparison/row-query.ts'
import { RowTools } from '../../comparison/row-tools.tsx'
import { RunMark, runLetter } from '../../comparison/run-mark.tsx'
import { SavedComparisons } from '../../comparison/saved.tsx'
import { ScoreCards } from '../../comparison/score-cards.tsx'
import { UnfoldedRow } from '../../comparison/unfolded-row.tsx'
import { VersionBanners } from '../../comparison/version-banners.tsx'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
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
        {runs.length > 0 && <Chips runs={runs} baseline="" comparison={undefined} projectId={projectId} />}
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

/** Puts a run into the first free place. */
function addRun(id: string): void {
  const { runs } = comparisonUrl.values.value
  const free = runs.indexOf('')
  comparisonUrl.commit({ runs: free < 0 ? [...runs, id] : runs.map((each, at) => (at === free ? id : each)) })
}

/** Frees the place of a run; the others keep their letters. */
function removeRun(id: string): void {
  const { runs, base } = comparisonUrl.values.value
  const next = runs.map((each) => (each === id ? '' : each))
  const last = next.findLastIndex((each) => each !== '')
  comparisonUrl.commit({ runs: next.slice(0, last + 1), base: base === id ? '' : base })
}

/** Cards shown without a choice: as many as fit beside the drawing. */
const cardsShown = 3

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
      await exportRows(
        asked,
        (id) => `${runLetter(runs.find((run) => run.id === id)?.place ?? 0)} ${names.get(id) ?? id}`,
        setExported,
      )
    } catch (error) {
      showError(error)
    }
    setExported(undefined)
  }
  const chosenChoices = choices.filter(({ score }) => chosen.includes(score))
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
        <>
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
        </>
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
      <Chips runs={runs} baseline={baseline} comparison={comparison} projectId={projectId} />
      {query.error && !rows ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : rows === undefined ? (
        <LoadingRows columns="286px 1fr 1fr 1fr" rows={16} height={34} what={comparisonText.reading} />
      ) : (
        <>
          {comparison && <VersionBanners differing={comparison.differing_versions} runs={runs} />}
          <div class={css.figures}>
            <div class={css.cards}>
              {verdicts.error && !comparison ? (
                <ErrorState error={verdicts.error} retry={() => void verdicts.refetch()} />
              ) : comparison === undefined ? (
                <LoadingRows columns="1fr 1fr 1fr" rows={4} height={40} what={comparisonText.drawing} />
              ) : (
                <ScoreCards
                  comparison={comparison}
                  runs={runs}
                  onRows={(score) => comparisonUrl.commit({ by: score, show: 'changed', sort: 'loss' })}
                />
              )}
              <div class={css.methods}>
                <span>{comparison && comparisonText.methods(comparison.resamples, comparison.comparisons)}</span>
                <span>
                  {comparisonText.sameIs}{' '}
                  <button type="button" class={css.change} onClick={() => setDialog('scores')}>
                    {comparisonText.change}
                  </button>
                </span>
              </div>
            </div>
            {comparison && (
              <Frontier
                comparison={comparison}
                runs={runs}
                score={rows.score ?? ''}
                axis={values.axis}
                onAxis={(axis) => comparisonUrl.commit({ axis })}
              />
            )}
          </div>
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
          choices={choices}
          chosen={chosen}
          same={values.same}
          low={values.low}
          onClose={() => setDialog(undefined)}
          onDone={(changes) => {
            comparisonUrl.commit(changes)
            setDialog(undefined)
          }}
        />
      )}
      {dialog === 'gate' && (
        <GateDialog
          projectId={projectId}
          runs={runs}
          baseline={baseline}
          scores={chosenChoices}
          same={values.same}
          low={values.low}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Page>
  )
}

const isOnPage = ({ target }: KeyboardEvent): boolean =>
  target === document.body || (target instanceof HTMLElement && target.role === 'grid')

/** The scores of the address that exist; the first few without one. */
function chosenOf(choices: readonly ScoreChoice[], wanted: readonly string[], own: number): readonly string[] {
  const known = wanted.filter((score) => choices.some((choice) => choice.score === score))
  return known.length > 0 ? known : choices.slice(0, Math.min(own, cardsShown)).map(({ score }) => score)
}

function verdictsAsked({
  projectId,
  ids,
  baseline,
  chosen,
  values,
  rows,
}: {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly baseline: string
  readonly chosen: readonly string[]
  readonly values: typeof comparisonUrl.values.value
  readonly rows: ComparedRows
}): VerdictsAsked {
  const own = rows.scores.filter(({ score }) => chosen.includes(score))
  const measures = chosen.filter(
    (score) => (score === 'cost' || score === 'latency') && !rows.scores.some((each) => each.score === score),
  )
  const named = [...own, ...measures.map((score) => ({ score, kind: 'mean' as const }))]
  return {
    projectId,
    ids,
    baseline,
    scores: own.map(({ score }) => score),
    measures,
    margins: Object.fromEntries(named.map(({ score, kind }) => [score, marginOf(score, kind, values.same)])),
    lowerIsBetter: values.low.filter((score) => own.some((each) => each.score === score)),
  }
}

const nameOf = ({ display_name, model_ref, evaluation_call_id }: Comparison['runs'][number]): string =>
  refName(model_ref) || display_name || evaluation_call_id

interface ChipsProps {
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly comparison: Comparison | undefined
  readonly projectId: string
}

const Chips = ({ runs, baseline, comparison, projectId }: ChipsProps) => (
  <ul class={css.chips} aria-label={comparisonText.title}>
    {runs.map(({ id, place }) => {
      const run = comparison?.runs.find(({ evaluation_call_id }) => evaluation_call_id === id)
      return (
        <li key={id} class={css.chip}>
          <RunMark place={place} letter />
          <a class="cut" href={tracePath(projectId, run?.trace_id ?? id)}>
            <bdi>{run ? nameOf(run) : id}</bdi>
          </a>
          {run?.display_name && run.display_name !== nameOf(run) && <bdi class={css.what}>{run.display_name}</bdi>}
          {run !== undefined && run.failed_trial_count > 0 && (
            <span class={css.failed}>{comparisonText.failed(run.failed_trial_count)}</span>
          )}
          {id === baseline && <Badge>{comparisonText.baseline}</Badge>}
          {id !== baseline && (
            <IconButton
              of={X}
              size="compact"
              iconSize={14}
              label={comparisonText.remove(runLetter(place))}
              onClick={() => removeRun(id)}
            />
          )}
        </li>
      )
    })}
    <li>
      <AddRun projectId={projectId} taken={runs.map(({ id }) => id)} onAdd={addRun} />
    </li>
  </ul>
)
