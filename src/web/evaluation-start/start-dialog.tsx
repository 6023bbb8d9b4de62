import type { ComponentChildren } from 'preact'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { comparisonPath, newScorerPath, scorerPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { runPath, viewPath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import { scorerText } from '../text/evaluation/scorer.ts'
import { partsText } from '../text/parts.ts'
import { refOf } from '../versions/objects.ts'
import { CandidateLines } from './candidate-lines.tsx'
import { Estimate } from './estimate.tsx'
import { FromCode } from './from-code.tsx'
import { RowFields } from './row-fields.tsx'
import css from './start-dialog.module.css'
import { parallelMax, trialsMax, useChoices } from './use-choices.ts'
import { type StartInitial, useStart } from './use-start.ts'

interface StartDialogProps {
  readonly projectId: string
  readonly initial?: StartInitial | undefined
  readonly onClose: () => void
  /** Called with the ids of the runs, once all of them are started. */
  readonly onStarted?: ((ids: readonly string[]) => void) | undefined
}

/** Starts evaluation runs: a dataset version, prompts with models, scorers, and the estimate. */
export default function StartDialog({ projectId, initial = {}, onClose, onStarted }: StartDialogProps) {
  const choices = useChoices(projectId, initial)
  const { parts, change, dataset, rowCount, trials, parallel, limit, candidates, setCandidates, filled } = choices
  const { evaluation, name, chosen, used, isReady, isLimitBad } = choices
  const { datasets, scorers, evaluations, earlier } = parts
  const starting = useStart(projectId)
  const start = async () => {
    if (!isReady || starting.busy || !dataset || trials === undefined || parallel === undefined) return
    const wanted = candidates.map((each) => ({ ...each, model: each.model.trim() }))
    const request = {
      evaluation: name,
      dataset: refOf(projectId, dataset),
      trials,
      parallel,
      limit,
      rows: choices.rows.choice,
    }
    const ids = await starting.start({ ...request, scorers: used.map(({ ref }) => ref) }, wanted)
    const [first] = ids
    if (first !== undefined) {
      const action =
        ids.length === 1
          ? { label: words.open, run: () => navigate(runPath(projectId, first)) }
          : { label: words.compare, run: () => navigate(comparisonPath(projectId, comparisonOf(ids))) }
      showToast({ kind: 'done', text: words.started(ids.length), action })
    }
    if (ids.length === wanted.length) {
      onStarted?.(ids)
      onClose()
    } else setCandidates(candidates.slice(ids.length))
  }
  // The first run is the baseline: that of the version in production, if it is among them.
  const comparisonOf = (ids: readonly string[]): string => {
    const at = Math.max(0, candidates.slice(0, ids.length).findIndex(choices.isLive))
    return `?runs=${[ids[at], ...ids.toSpliced(at, 1)].join(',')}`
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      class={css.dialog}
      foot={
        <>
          <span class={css.sum}>
            {rowCount === 0
              ? words.noRows
              : choices.withoutModel >= 0
                ? words.needsModel(choices.withoutModel + 1)
                : rowCount !== undefined && trials !== undefined && words.sum(rowCount, trials, candidates.length)}
          </span>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" busy={starting.busy} disabled={!isReady} onClick={() => void start()}>
            {words.start(candidates.length, rowCount)}
          </Button>
        </>
      }
    >
      {parts.error || choices.rows.error ? (
        <ErrorState
          error={parts.error ?? choices.rows.error}
          retry={() => {
            parts.retry()
            choices.rows.retry()
          }}
        />
      ) : !parts.isRead ? (
        <LoadingRows columns="148px 1fr" rows={6} height={44} />
      ) : datasets.length === 0 ? (
        <p>
          {words.noDatasets} <a href={viewPath(projectId, 'datasets')}>{words.openDatasets}</a>
        </p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void start()
          }}
        >
          <Line label={words.evaluation}>
            <Select
              label={words.evaluation}
              hideLabel
              value={choices.evaluationName}
              onOpen={parts.readAgain}
              options={[
                ...evaluations.map((each) => ({ id: each.name, label: each.name })),
                { id: choices.newName, label: words.newEvaluation },
              ]}
              onChange={(next) =>
                change({ evaluation: next, dataset: undefined, scorers: undefined, trials: undefined })
              }
            />
            {evaluation === undefined && (
              <Field
                label={words.evaluationName}
                hideLabel
                value={choices.typedName}
                error={choices.nameFault}
                onInput={(event) => change({ name: event.currentTarget.value })}
              />
            )}
          </Line>
          <Line label={words.dataset}>
            <div class={css.pair}>
              <Select
                label={words.dataset}
                hideLabel
                value={dataset?.object_id ?? ''}
                onOpen={parts.readAgain}
                options={datasets.map((each) => ({ id: each.name, label: each.name }))}
                onChange={(next) => {
                  const latest = choices.latestOf(next)?.latest
                  if (latest) change({ dataset: refOf(projectId, latest) })
                }}
              />
              <Select
                label={words.version}
                hideLabel
                value={dataset ? refOf(projectId, dataset) : ''}
                onOpen={parts.readAgain}
                options={(choices.family?.versions ?? []).map((version) => ({
                  id: refOf(projectId, version),
                  label: words.versionOf(version.version_index, parts.tables?.get(version.digest)?.rowCount),
                }))}
                onChange={(next) => change({ dataset: next })}
              />
            </div>
          </Line>
          <Line label={words.rows}>
            <RowFields choices={choices} />
          </Line>
          <Line label={words.candidates}>
            <CandidateLines choices={choices} />
            <FromCode projectId={projectId} choices={choices} />
          </Line>
          <Line label={words.scorers}>
            {scorers.length === 0 && <p class={css.note}>{words.noScorers}</p>}
            {scorers.map(({ version, judge }) => (
              <div key={version.object_id} class={css.scorerLine}>
                <Checkbox
                  class={css.scorer}
                  checked={chosen.includes(version.object_id)}
                  onChange={(checked) =>
                    change({
                      scorers: choices.scorerNames.filter((each) =>
                        each === version.object_id ? checked : chosen.includes(each),
                      ),
                    })
                  }
                >
                  <span class="cut" dir="auto">
                    {version.object_id}
                  </span>{' '}
                  <span class={css.quiet}>
                    v{version.version_index},{' '}
                    {judge === undefined ? scorerText.kindName(version.leaf_object_class) : words.judgedBy(judge)}
                  </span>
                </Checkbox>
                <a class={css.open} href={scorerPath(projectId, version.object_id)}>
                  {judge === undefined ? scorerText.keys.open : scorerText.preview}
                  <span class="sr-only"> {version.object_id}</span>
                </a>
              </div>
            ))}
            <p class={css.note}>
              <a href={newScorerPath(projectId)}>{scorerText.make}</a>
            </p>
            {choices.judgeProblems.map(({ name: scorer, problem }) => (
              <p key={scorer} class={css.fault} role="alert">
                {words.judgeProblem(scorer, problem)}
              </p>
            ))}
          </Line>
          <Line label={words.run}>
            <div class={css.numbers}>
              <Field
                label={words.trials}
                inputmode="numeric"
                value={choices.trialsText}
                error={trials === undefined ? words.outOf(1, trialsMax) : undefined}
                onInput={(event) => change({ trials: event.currentTarget.value })}
              />
              <Field
                label={words.parallel}
                inputmode="numeric"
                value={choices.parallelText}
                error={parallel === undefined ? words.outOf(1, parallelMax) : undefined}
                onInput={(event) => change({ parallel: event.currentTarget.value })}
              />
              <Field
                label={words.limit}
                inputmode="decimal"
                placeholder={words.noLimit}
                value={choices.limitText}
                error={isLimitBad ? words.limitBad : undefined}
                onInput={(event) => change({ limit: event.currentTarget.value })}
              />
            </div>
          </Line>
          {rowCount !== undefined && trials !== undefined && parallel !== undefined && filled.length > 0 && (
            <Estimate
              lines={filled.map((each) => ({ key: each.key, label: choices.labelOf(each), model: each.model.trim() }))}
              runs={earlier}
              size={{ rows: rowCount, trials, parallel, limit: isLimitBad ? undefined : limit }}
            />
          )}
          {starting.error !== undefined && (
            <p class={css.fault} role="alert">
              {starting.error}
            </p>
          )}
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  )
}

const Line = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <fieldset class={css.line}>
    <legend class={css.name}>{label}</legend>
    <div class={css.fields}>{children}</div>
  </fieldset>
)
