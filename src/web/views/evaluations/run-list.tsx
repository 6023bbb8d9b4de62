import { FlaskConical, Gauge, Play, Plus, Star, Trash2, X } from 'lucide'
import { useRef } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import lists from '../../components/list/list.module.css'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { type ListedRun, modelOf, promptOf, runsQuery, scoreName } from '../../evaluation/runs.ts'
import { Trend } from '../../evaluation/trend.tsx'
import { StartEvaluation } from '../../evaluation-start/start-evaluation.ts'
import { Page } from '../../page/page.tsx'
import { leaderboardPath, newLeaderboardPath, scorerPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { runPath, viewPath } from '../../state/paths.ts'
import { deleteLater, hiddenIds } from '../../state/pending-deletes.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { list, number, oneOf, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { evaluationText } from '../../text/evaluation/evaluation.ts'
import { evaluationStartText } from '../../text/evaluation/evaluation-start.ts'
import { leaderboardText } from '../../text/evaluation/leaderboard.ts'
import { scorerText } from '../../text/evaluation/scorer.ts'
import css from './run-list.module.css'
import { Head, Row } from './run-row.tsx'

const states = ['', 'running', 'paused', 'done', 'interrupted', 'failed', 'at_limit', 'cancelled'] as const
const url = urlState({
  evaluation: text(),
  f: text(),
  state: oneOf(states),
  score: text(),
  at: number(0),
  picked: list(),
  // The dialog that starts runs, and refs that it begins with.
  start: text(),
  prompt: list(),
  model: list(),
  dataset: text(),
})
const rowHeight = { wide: 34, phone: 80 }
const scoresShown = 3

/** Runs of a project, by evaluation. */
export function RunList({ projectId }: { projectId: string }) {
  const isPhone = useIsPhone()
  const rows = useRef<FixedRowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useQuery(runsQuery(projectId))
  const { evaluation, f: typed, state, score, at, picked, start, prompt, model, dataset } = url.values.value
  const hidden = hiddenIds.value
  const all = (data?.runs ?? []).filter((run) => !hidden.has(run.evaluation_call_id))
  const ofEvaluation = all.filter((run) => evaluation === '' || run.evaluation.name === evaluation)
  const shown = ofEvaluation.filter(
    (run) => (state === '' || run.state === state) && wordsOf(run).includes(typed.toLowerCase()),
  )
  const chosen = picked.filter((id) => all.some((run) => run.evaluation_call_id === id))
  const names = [...new Set(ofEvaluation.flatMap((run) => run.scores.map((each) => each.score)))].sort()
  const trendScore = names.includes(score) ? score : (names.at(-1) ?? '')
  // The score of the trend is a column, whatever its place in the alphabet.
  const columns = [trendScore, ...names.filter((name) => name !== trendScore)].filter(Boolean).slice(0, scoresShown)
  const hasChoices = ofEvaluation.some((run) => run.rows_chosen !== null)
  const columnStyle = { '--scores': columns.length, '--data': hasChoices ? '92px' : '32px' }
  const toggle = (id: string) =>
    url.replace({ picked: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] })
  const go = (to: number) => {
    const next = Math.min(shown.length, Math.max(1, to))
    url.replace({ at: next })
    rows.current?.show(next - 1)
  }
  const current = shown[at - 1]
  const compare = () => {
    if (chosen.length < 2) return
    navigate(`${viewPath(projectId, 'evaluations')}/compare?${new URLSearchParams({ runs: list().write(chosen) })}`)
  }
  const openStart = () => {
    if (canWrite.value) url.commit({ start: '1' })
  }
  const startButton = canWrite.value && (
    <Button kind="primary" icon={Play} hint="N" onClick={openStart}>
      {evaluationStartText.title}
    </Button>
  )
  useKeys([
    ...(canWrite.value ? [{ keys: 'n', does: evaluationStartText.title, run: openStart }] : []),
    { keys: 'j', does: evaluationText.keys.next, run: () => go(at + 1) },
    { keys: 'k', does: evaluationText.keys.previous, run: () => go(at - 1) },
    { keys: 'x', does: evaluationText.keys.select, run: () => current && toggle(current.evaluation_call_id) },
    { keys: 'c', does: evaluationText.compare, run: compare },
    { keys: 'f', does: evaluationText.find, run: () => field.current?.focus() },
    {
      keys: 'Enter',
      does: evaluationText.keys.open,
      run: (event) =>
        event.target === document.body && current && navigate(runPath(projectId, current.evaluation_call_id)),
    },
  ])
  const changed = () => void queries.invalidateQueries({ queryKey: ['evaluation runs', projectId] })
  const remove = () => {
    deleteLater(projectId, chosen, evaluationText.deleted(chosen.length), changed)
    url.replace({ picked: [] })
  }
  const tabs = [
    { id: '', label: evaluationText.all, count: all.length },
    ...(data?.evaluations ?? []).map(({ name, runs }) => ({ id: name, label: name, count: runs })),
  ]
  return (
    <Page
      name={evaluationText.title}
      title={evaluationText.title}
      actions={
        <>
          {!isPhone && (
            <a class={css.scorers} href={scorerPath(projectId)}>
              {scorerText.title}
            </a>
          )}
          {all.length > 0 && (
            <>
              <MenuButton
                label={leaderboardText.title}
                kind="quiet"
                side="end"
                items={[
                  { icon: Star, label: leaderboardText.every, href: leaderboardPath(projectId) },
                  ...(isPhone ? [{ icon: Gauge, label: scorerText.every, href: scorerPath(projectId) }] : []),
                  ...(canWrite.value
                    ? [{ icon: Plus, label: leaderboardText.make, href: newLeaderboardPath(projectId, evaluation) }]
                    : []),
                ]}
              >
                {isPhone ? undefined : leaderboardText.title}
              </MenuButton>
              {isPhone && canWrite.value ? (
                <IconButton of={Play} label={evaluationStartText.title} onClick={openStart} />
              ) : (
                startButton
              )}
            </>
          )}
        </>
      }
      class={classNames(lists.body, css.body)}
      tabs={
        all.length > 0 && (
          <Tabs
            tabs={tabs}
            current={evaluation}
            label={evaluationText.tabs}
            onSelect={(id) => url.commit({ evaluation: id, at: 0 })}
          />
        )
      }
      foot={{
        facts: data && (
          <>
            <span>{evaluationText.facts(shown.length, all.length)}</span>
            {(data.next !== null || data.is_cut) && <span>{evaluationText.factsCut(data.total)}</span>}
          </>
        ),
        keys: [
          ['J K', evaluationText.keys.move],
          ['X', evaluationText.keys.selectShort],
          ['C', evaluationText.keys.compareShort],
          ['↵', evaluationText.keys.openShort],
          ...(canWrite.value ? [['N', evaluationStartText.startShort] as const] : []),
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows
          columns="98px 2fr 40px 138px 132px 132px 60px"
          rows={12}
          height={34}
          what={evaluationText.reading}
        />
      ) : all.length === 0 ? (
        <EmptyState icon={FlaskConical} title={evaluationText.none} action={startButton}>
          {evaluationText.noneReason}
        </EmptyState>
      ) : (
        <>
          {trendScore !== '' && (
            <section class={css.trend} aria-label={evaluationText.trend}>
              <div class={css.trendHead}>
                <Select
                  label={evaluationText.trend}
                  hideLabel
                  value={trendScore}
                  options={names.map((name) => ({ id: name, label: scoreName(name) }))}
                  onChange={(name) => url.replace({ score: name })}
                />
                <span class={css.note}>{evaluationText.trendNote}</span>
              </div>
              <Trend runs={ofEvaluation} score={trendScore} projectId={projectId} />
            </section>
          )}
          <div class={classNames(lists.tools, css.tools)}>
            <SearchField
              label={evaluationText.find}
              value={typed}
              onType={(next) => url.replace({ f: next, at: 0 })}
              hint="F"
              inputRef={field}
              class={css.find}
            />
            <Select
              label={evaluationText.state}
              hideLabel
              value={state}
              options={states.map((id) => ({
                id,
                label: id === '' ? evaluationText.anyState : evaluationText.states[id],
              }))}
              onChange={(next) => url.commit({ state: next, at: 0 })}
            />
          </div>
          {shown.length === 0 ? (
            <EmptyState
              icon={FlaskConical}
              title={evaluationText.noneFound}
              action={<Button onClick={() => url.commit({ f: '', state: '' })}>{evaluationText.clear}</Button>}
            />
          ) : (
            <div class={lists.rows} style={columnStyle}>
              <FixedRows
                list={rows}
                items={shown}
                rowHeight={isPhone ? rowHeight.phone : rowHeight.wide}
                before={isPhone ? undefined : <Head runs={ofEvaluation} columns={columns} />}
                render={(run, index) => (
                  <Row
                    key={run.evaluation_call_id}
                    projectId={projectId}
                    run={run}
                    all={ofEvaluation}
                    columns={columns}
                    isCurrent={index + 1 === at}
                    isPicked={chosen.includes(run.evaluation_call_id)}
                    onPick={() => toggle(run.evaluation_call_id)}
                    onChanged={changed}
                  />
                )}
              />
            </div>
          )}
          {chosen.length > 0 && (
            <div class={css.bulk} role="toolbar" aria-label={evaluationText.bulk}>
              <span role="status">{evaluationText.selected(chosen.length)}</span>
              <Button kind="quiet" icon={FlaskConical} hint="C" disabled={chosen.length < 2} onClick={compare}>
                {evaluationText.compare}
              </Button>
              {canWrite.value && (
                <Button kind="quiet" icon={Trash2} onClick={remove}>
                  {evaluationText.delete}
                </Button>
              )}
              <IconButton of={X} label={evaluationText.clearSelection} onClick={() => url.replace({ picked: [] })} />
            </div>
          )}
        </>
      )}
      {start !== '' && canWrite.value && (
        <StartEvaluation
          projectId={projectId}
          initial={{
            prompts: prompt,
            models: model,
            dataset: dataset || undefined,
            evaluation: evaluation || undefined,
          }}
          onClose={() => url.commit({ start: '', prompt: [], model: [], dataset: '' })}
        />
      )}
    </Page>
  )
}

const chosenIn = ({ rows_chosen: chosen }: ListedRun): string => (chosen === null ? '' : evaluationText.chosen(chosen))

const wordsOf = (run: ListedRun): string =>
  [modelOf(run), promptOf(run), run.dataset?.name, chosenIn(run), run.error, run.evaluation.name]
    .join('\n')
    .toLowerCase()
