import { Plus } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { Popover } from '../components/overlays/popover.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { type ListedRun, runsQuery } from '../evaluation/runs.ts'
import { formatAgo } from '../format/time.ts'
import { useQuery } from '../state/query-signal.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { evaluationText } from '../text/evaluation/evaluation.ts'
import type { LetteredRun, ScoreChoice } from './comparison-data.ts'
import css from './dialogs.module.css'
import { marginOf } from './margin.ts'
import { runLetter } from './run-mark.tsx'
import { nameOf } from './run-name.ts'

interface ScoresDialogProps {
  readonly choices: readonly ScoreChoice[]
  readonly chosen: readonly string[]
  readonly same: readonly string[]
  readonly low: readonly string[]
  readonly onDone: (changes: {
    readonly scores: readonly string[]
    readonly same: readonly string[]
    readonly low: readonly string[]
  }) => void
  readonly onClose: () => void
}

/** Which scores are tested, what counts as the same, and which are better if they are lower. */
export function ScoresDialog({ choices, chosen, same, low, onDone, onClose }: ScoresDialogProps) {
  const [draft, setDraft] = useState(() =>
    choices.map(({ score, kind }) => ({
      score,
      kind,
      isShown: chosen.includes(score),
      margin: String(marginOf(score, kind, same)),
      isLow: low.includes(score),
    })),
  )
  const change = (index: number, members: object) =>
    setDraft(draft.map((each, at) => (at === index ? { ...each, ...members } : each)))
  const isBad = (margin: string) => margin.trim() === '' || !(Number(margin) >= 0)
  const shown = draft.filter(({ isShown }) => isShown)
  return (
    <Dialog
      open
      onClose={onClose}
      title={comparisonText.chooseScores}
      class={css.wide}
      foot={
        <>
          <Button onClick={onClose}>{comparisonText.close}</Button>
          <Button
            kind="primary"
            disabled={shown.length === 0 || draft.some(({ margin }) => isBad(margin))}
            onClick={() =>
              onDone({
                scores: shown.map(({ score }) => score),
                same: draft
                  .filter(({ score, kind, margin }) => Number(margin) !== marginOf(score, kind, []))
                  .map(({ score, margin }) => `${score}=${Number(margin)}`),
                low: draft.filter(({ isLow }) => isLow).map(({ score }) => score),
              })
            }
          >
            {comparisonText.showScores(shown.length)}
          </Button>
        </>
      }
    >
      <p>{comparisonText.chooseScoresReason}</p>
      <ul class={css.scores}>
        {draft.map(({ score, isShown, margin, isLow }, index) => (
          <li key={score}>
            <Checkbox checked={isShown} onChange={(checked) => change(index, { isShown: checked })}>
              <bdi>{score}</bdi>
            </Checkbox>
            <Field
              label={`${comparisonText.sameWithin}: ${score}`}
              hideLabel
              value={margin}
              inputMode="decimal"
              error={isBad(margin) ? comparisonText.badMargin : undefined}
              onInput={(event) => change(index, { margin: event.currentTarget.value })}
            />
            {score === 'cost' || score === 'latency' ? (
              <span class={css.note}>{comparisonText.lower}</span>
            ) : (
              <Checkbox checked={isLow} onChange={(checked) => change(index, { isLow: checked })}>
                {comparisonText.lower}
              </Checkbox>
            )}
          </li>
        ))}
      </ul>
      <p class={css.note}>{comparisonText.pointsHint}</p>
    </Dialog>
  )
}

interface AddRunProps {
  readonly projectId: string
  readonly taken: readonly string[]
  readonly onAdd: (id: string) => void
}

/** A button with the newest runs of the project. */
export function AddRun({ projectId, taken, onAdd }: AddRunProps) {
  const [isOpen, setOpen] = useState(false)
  const [find, setFind] = useState('')
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        kind="quiet"
        icon={Plus}
        buttonRef={anchor}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {comparisonText.addRun}
      </Button>
      <Popover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={anchor}
        label={comparisonText.addRun}
        class={css.runs}
      >
        <Field
          label={comparisonText.findRun}
          value={find}
          autofocus
          onInput={(event) => setFind(event.currentTarget.value)}
          hint={comparisonText.addRunHint}
        />
        <RunList
          projectId={projectId}
          taken={taken}
          find={find}
          onAdd={(id) => {
            setOpen(false)
            onAdd(id)
          }}
        />
      </Popover>
    </>
  )
}

function RunList({ projectId, taken, find, onAdd }: AddRunProps & { readonly find: string }) {
  const { data, error, refetch } = useQuery(runsQuery(projectId))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows columns="1fr 60px" rows={4} />
  const shown = data.runs
    .filter((run) => !taken.includes(run.evaluation_call_id) && run.rows_begun > 0)
    .map((run) => ({ id: run.evaluation_call_id, name: nameOf(run), facts: factsOf(run), at: run.started_at }))
    .filter(({ id, name, facts }) => `${name} ${facts} ${id}`.toLowerCase().includes(find.toLowerCase()))
    .slice(0, 100)
  if (shown.length === 0) return <p class={css.note}>{comparisonText.noMoreRuns}</p>
  return (
    <ul class={css.list}>
      {shown.map(({ id, name, facts, at }) => (
        <li key={id}>
          <button type="button" class={css.pick} onClick={() => onAdd(id)}>
            <bdi class="cut">{name}</bdi>
            <span class={css.note}>
              {facts} · {formatAgo(at)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const factsOf = ({ evaluation, dataset, rows_chosen: chosen }: ListedRun): string =>
  [evaluation.name, dataset && versionName(dataset), chosen && evaluationText.chosen(chosen)]
    .filter(Boolean)
    .join(' · ')

const versionName = ({ name, version }: { readonly name: string; readonly version: number | null }): string =>
  version === null ? name : `${name} v${version}`

interface GateDialogProps {
  readonly projectId: string
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly scores: readonly ScoreChoice[]
  readonly same: readonly string[]
  readonly low: readonly string[]
  readonly onClose: () => void
}

/** The command that fails a build on the verdicts of this page. */
export function GateDialog({ projectId, runs, baseline, scores, same, low, onClose }: GateDialogProps) {
  const others = runs.filter(({ id }) => id !== baseline)
  const [run, setRun] = useState(others[0]?.id ?? '')
  const command = gateCommand({ projectId, run, baseline, scores, same, low })
  return (
    <Dialog
      open
      onClose={onClose}
      title={comparisonText.gate}
      class={css.wide}
      foot={
        <>
          <Button onClick={onClose}>{comparisonText.close}</Button>
          <CopyButton text={command} label={comparisonText.copyCommand} words />
        </>
      }
    >
      <p>{comparisonText.gateReason}</p>
      {others.length > 1 && (
        <Select
          label={comparisonText.gateFor}
          value={run}
          options={others.map(({ id, place }) => ({ id, label: `${runLetter(place)} · ${id}` }))}
          onChange={setRun}
        />
      )}
      <pre class={css.code} tabIndex={0}>
        {command}
      </pre>
    </Dialog>
  )
}

/** The command that gives the same figures. */
function gateCommand(of: {
  readonly projectId: string
  readonly run: string
  readonly baseline: string
  readonly scores: readonly ScoreChoice[]
  readonly same: readonly string[]
  readonly low: readonly string[]
}): string {
  const { projectId, run, baseline, scores, same, low } = of
  const isMeasure = (score: string) => score === 'cost' || score === 'latency'
  const options = scores.flatMap(({ score, kind }) => {
    const margin = marginOf(score, kind, same)
    return [
      isMeasure(score) ? `--measure ${score}` : `--no-worse ${quoted(score)}`,
      ...(margin > 0 ? [`--margin ${quoted(`${score}=${margin}`)}`] : []),
      ...(low.includes(score) && !isMeasure(score) ? [`--lower-is-better ${quoted(score)}`] : []),
    ]
  })
  return [
    `tracelake evals check ${quoted(run)} --baseline ${quoted(baseline)} --project ${quoted(projectId)}`,
    ...options,
    '--markdown',
  ].join(' \\\n  ')
}

const quoted = (text: string): string => (/^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
