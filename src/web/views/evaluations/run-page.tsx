import { Code, FlaskConical, Gauge, Pause, Play, RotateCcw, X } from 'lucide'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { FixedRows } from '../../components/display/fixed-rows.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { EvaluateFromCode } from '../../evaluation/evaluate-from-code.ts'
import { StateMark } from '../../evaluation/parts.tsx'
import {
  cancelRun,
  goOn,
  type ListedRun,
  modelOf,
  pauseRun,
  promptOf,
  type RunRow,
  rowsLeft,
  rowsQuery,
  runQuery,
} from '../../evaluation/runs.ts'
import { formatMoment } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { judgeCheckPath } from '../../state/judging-paths.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { evaluationText } from '../../text/evaluation/evaluation.ts'
import { evaluationCodeText } from '../../text/evaluation/evaluation-code.ts'
import { judgeCheckText } from '../../text/evaluation/judge-check.ts'
import { About, Progress, Scores } from './run-facts.tsx'
import css from './run-page.module.css'
import { Head, Row } from './trial-row.tsx'

const url = urlState({ rows: oneOf(['all', 'failed', 'unscored']) })

/** A run: its progress, scores so far, rows as they end, and what failed. */
export function RunPage({ projectId, id }: { projectId: string; id: string }) {
  const { data, error, refetch } = useQuery(runQuery(projectId, id))
  const run = data?.runs[0]
  const listPath = viewPath(projectId, 'evaluations')
  const back = { href: listPath, label: evaluationText.back }
  if (run !== undefined) return <Known projectId={projectId} run={run} back={back} />
  return (
    <Page name={evaluationText.title} title={evaluationText.title} back={back}>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="20px 2fr 2fr 60px 60px" rows={14} height={30} what={evaluationText.reading} />
      ) : (
        <EmptyState
          icon={FlaskConical}
          title={evaluationText.missing}
          action={<a href={listPath}>{evaluationText.back}</a>}
        >
          {evaluationText.missingReason}
        </EmptyState>
      )}
    </Page>
  )
}

interface KnownProps {
  readonly projectId: string
  readonly run: ListedRun
  readonly back: { readonly href: string; readonly label: string }
}

function Known({ projectId, run, back }: KnownProps) {
  const [isAsking, setAsking] = useState(false)
  const [isCodeShown, setCodeShown] = useState(false)
  const stamp = `${run.rows_begun} ${run.rows_ended} ${run.state}`
  const { data, error, refetch } = useQuery(rowsQuery(projectId, run.evaluation_call_id, stamp))
  const which = url.values.value.rows
  const rows = data?.rows ?? []
  const isFailed = (row: RunRow): boolean => row.error !== null || (row.hasEnded && row.output === null)
  const isUnscored = (row: RunRow): boolean =>
    row.hasEnded && !isFailed(row) && run.scorers.some(({ name }) => row.scores[name] == null)
  const byState = { all: rows, failed: rows.filter(isFailed), unscored: rows.filter(isUnscored) }
  const shown = byState[which]
  const changed = () => void queries.invalidateQueries({ queryKey: ['evaluation runs', projectId] })
  const mayWrite = canWrite.value
  const canResume = mayWrite && run.is_resumable && ['at_limit', 'interrupted', 'paused'].includes(run.state)
  return (
    <Page
      name={run.evaluation.name}
      title={
        <>
          <span dir="auto">{run.evaluation.name}</span>{' '}
          <small class={css.subtitle}>
            <StateMark state={run.state} isPausing={run.is_pausing} />
          </small>{' '}
          <small class={css.subtitle}>
            {modelOf(run)} {promptOf(run)}
          </small>
        </>
      }
      back={back}
      class={css.body}
      actions={
        <>
          {canResume && (
            <Button icon={Play} onClick={() => void goOn(projectId, run, false, changed)}>
              {evaluationText.resume(rowsLeft(run))}
            </Button>
          )}
          {mayWrite && !run.is_on_server && run.state === 'interrupted' && run.dataset !== null && (
            <Button icon={Code} onClick={() => setCodeShown(true)}>
              {evaluationCodeText.runAgain}
            </Button>
          )}
          {run.scores.length > 0 && <CheckJudgeButton projectId={projectId} run={run.evaluation_call_id} />}
          {mayWrite && run.is_on_server && run.state === 'running' && (
            <Button icon={Pause} disabled={run.is_pausing} onClick={() => void pauseRun(projectId, run, changed)}>
              {run.is_pausing ? evaluationText.pausing : evaluationText.pause}
            </Button>
          )}
          {mayWrite && run.is_on_server && (run.state === 'running' || run.state === 'paused') && (
            <Button icon={X} onClick={() => setAsking(true)}>
              {evaluationText.cancel}
            </Button>
          )}
        </>
      }
    >
      {run.state === 'interrupted' && (
        <Banner>{evaluationText.stopped(run.is_on_server, formatMoment(run.active_at), rowsLeft(run))}</Banner>
      )}
      {run.state === 'paused' && <Banner tone="info">{evaluationText.pausedNote}</Banner>}
      <Progress run={run} />
      <Scores run={run} />
      <div class={css.columns}>
        <section class={css.rows} aria-label={evaluationText.rowsTitle}>
          <div class={css.tools}>
            <h2>
              {run.trials === 1 || data === undefined
                ? evaluationText.rowsTitle
                : evaluationText.trialsTitle(rows.length, new Set(rows.map(({ digest }) => digest)).size)}
            </h2>
            <Segments
              label={evaluationText.rowsTitle}
              current={which}
              onSelect={(rowsShown) => url.commit({ rows: rowsShown })}
              options={(['all', 'failed', 'unscored'] as const).map((each) => ({
                id: each,
                label: `${evaluationText.rowStates[each]} ${data ? byState[each].length : ''}`,
              }))}
            />
            {data !== undefined && data.total > rows.length && evaluationText.rowsCut(rows.length, data.total)}
          </div>
          {error ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : data === undefined ? (
            <LoadingRows columns="20px 2fr 2fr 60px 60px" rows={14} height={30} what={evaluationText.reading} />
          ) : shown.length === 0 ? (
            <p class={css.none}>{rows.length === 0 ? evaluationText.waitingRows : evaluationText.noRows}</p>
          ) : (
            <div class={css.list}>
              <FixedRows
                items={shown}
                rowHeight={30}
                before={<Head run={run} />}
                render={(row) => (
                  <Row key={row.trialId} projectId={projectId} run={run} row={row} isFailed={isFailed(row)} />
                )}
              />
            </div>
          )}
        </section>
        <aside class={css.side} aria-label={evaluationText.thisRun}>
          {byState.failed.length > 0 && (
            <section>
              <div class={css.sideHead}>
                <h2>{evaluationText.failedTitle(byState.failed.length, run.trials)}</h2>
                {mayWrite && run.is_resumable && (
                  <Button size="compact" icon={RotateCcw} onClick={() => void goOn(projectId, run, true, changed)}>
                    {evaluationText.retry(byState.failed.length, run.trials)}
                  </Button>
                )}
              </div>
              {mayWrite && run.is_resumable && <p class={css.grey}>{evaluationText.retryNote}</p>}
              {[...Map.groupBy(byState.failed, ({ error: why }) => why ?? evaluationText.noOutput)].map(
                ([why, each]) => (
                  <div key={why} class={css.group}>
                    <code dir="auto">{why}</code>
                    <span class={css.grey}>
                      {evaluationText.failed(each.length)}{' '}
                      <a href={tracePath(projectId, run.evaluation_call_id, each[0]?.predictId ?? each[0]?.trialId)}>
                        {evaluationText.trace}
                      </a>
                    </span>
                  </div>
                ),
              )}
            </section>
          )}
          <About projectId={projectId} run={run} />
        </aside>
      </div>
      {isCodeShown && run.dataset !== null && (
        <EvaluateFromCode
          projectId={projectId}
          of={{
            evaluation: run.evaluation.name,
            dataset: run.dataset.ref,
            scorers: run.scorers.map(({ name }) => name),
            trials: run.trials,
          }}
          isAgain
          onClose={() => setCodeShown(false)}
        />
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={evaluationText.cancel}
        verb={evaluationText.cancel}
        keep={run.state === 'paused' ? evaluationText.keepPaused : evaluationText.keepRunning}
        run={async () => {
          await cancelRun(projectId, run.evaluation_call_id)
          setAsking(false)
          showToast({ kind: 'done', text: evaluationText.cancelDone })
          changed()
        }}
      >
        {evaluationText.cancelReason}
      </ConfirmDialog>
    </Page>
  )
}

/** Opens the page that compares the judge of a run with people. */
function CheckJudgeButton({ projectId, run }: { projectId: string; run: string }) {
  const open = () => navigate(judgeCheckPath(projectId, [run]))
  return useIsPhone() ? (
    <IconButton of={Gauge} label={judgeCheckText.open} onClick={open} />
  ) : (
    <Button kind="quiet" icon={Gauge} onClick={open}>
      {judgeCheckText.open}
    </Button>
  )
}
