import { ChartNoAxesGantt, ListChecks } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { Icon } from '../components/display/icon.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { inlineDiff } from '../diff/inline-diff.ts'
import { formatCost } from '../format/number.ts'
import { callPath, tracePath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { canWrite } from '../state/session.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { reviewFormText } from '../text/review-form.ts'
import { type LetteredRun, type RowDetails, rowQuery } from './comparison-data.ts'
import { runLetter } from './run-mark.tsx'
import css from './unfolded-row.module.css'

const QueueDialog = lazyPart(() => import('../bulk/queue-dialog.tsx'), { loading: () => null })

interface UnfoldedProps {
  readonly projectId: string
  readonly digest: string
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  /** Trace by run. */
  readonly traces: ReadonlyMap<string, string>
  readonly isMarked: boolean
}

type Trial = RowDetails['evaluations'][number]['trials'][number]

/** A row with the outputs of all runs: what differs from the baseline, and the scorers' reasons. */
export function UnfoldedRow({ projectId, digest, runs, baseline, traces, isMarked }: UnfoldedProps) {
  const ids = runs.map(({ id }) => id)
  const { data, error, refetch } = useQuery(rowQuery(projectId, ids, digest))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows columns="1fr 1fr 1fr" rows={3} />
  const trialsOf = (id: string) =>
    data?.evaluations.find(({ evaluation_call_id }) => evaluation_call_id === id)?.trials ?? []
  const base = trialsOf(baseline)[0]
  const letter = runLetter(runs.find(({ id }) => id === baseline)?.place ?? 0)
  return (
    <div class={css.row} role="row">
      <div class={css.input} role="gridcell">
        {fieldsOf(data?.raw_data_row).map(([name, value], index) => (
          <p key={name} class={index === 0 ? undefined : css.more}>
            {index > 0 && <strong>{name} </strong>}
            <bdi>{cut(value).text}</bdi>
          </p>
        ))}
        <p class={css.digest}>{`${digest.slice(0, 4)}…${digest.slice(-4)}`}</p>
      </div>
      {ids.map((id) => {
        const [trial, ...others] = trialsOf(id)
        return (
          <div key={id} class={css.run} role="gridcell">
            {trial === undefined ? (
              <p class={css.note}>{comparisonText.notInRun}</p>
            ) : (
              <>
                <Output
                  text={outputText(trial)}
                  before={id === baseline || !isMarked || base === undefined ? undefined : outputText(base)}
                  letter={letter}
                />
                {others.length > 0 && <p class={css.note}>{comparisonText.trialOf(others.length + 1)}</p>}
                <ul class={css.scores}>
                  {Object.entries(trial.scores).map(([name, value]) => (
                    <Score key={name} name={name} value={value} href={scorerPath(projectId, trial, name)} />
                  ))}
                </ul>
                <a
                  class={css.link}
                  href={tracePath(
                    projectId,
                    traces.get(id) ?? id,
                    trial.predict_call_id ?? trial.predict_and_score_call_id,
                  )}
                >
                  <Icon of={ChartNoAxesGantt} size={14} />
                  {comparisonText.trace((trial.predict_call_id ?? trial.predict_and_score_call_id).slice(-8))}
                </a>
                {trial.total_cost !== null && <span class={css.note}> {formatCost(trial.total_cost)}</span>}
                {id !== baseline && base?.predict_call_id && trial.predict_call_id && canWrite.value && (
                  <PairButton
                    projectId={projectId}
                    pair={[base.predict_call_id, trial.predict_call_id]}
                    letter={letter}
                  />
                )}
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}

interface PairButtonProps {
  readonly projectId: string
  readonly pair: readonly [string, string]
  readonly letter: string
}

/** Puts an output and that of the baseline into a queue, for people to compare. */
function PairButton({ projectId, pair, letter }: PairButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button size="compact" kind="quiet" icon={ListChecks} onClick={() => setOpen(true)}>
        {reviewFormText.addPair(letter)}
      </Button>
      {isOpen && <QueueDialog projectId={projectId} ids={pair} asPair onClose={() => setOpen(false)} />}
    </div>
  )
}

const scorerPath = (projectId: string, { scorer_call_ids }: Trial, name: string): string | undefined => {
  const id = scorer_call_ids[name]
  return id === undefined ? undefined : callPath(projectId, id)
}

const outputText = ({ model_output: output }: Trial): string =>
  output == null ? '' : typeof output === 'string' ? output : JSON.stringify(output, null, 2)

/** Members of a row as texts, the first that people read first. */
function fieldsOf(row: unknown): readonly (readonly [string, string])[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return [['', textOf(row)]]
  const fields = Object.entries(row).map(([name, value]) => [name, textOf(value)] as const)
  const first = fields.findIndex(([name]) => typeof Object(row)[name] === 'string')
  return first <= 0
    ? fields
    : [...fields.slice(first, first + 1), ...fields.slice(0, first), ...fields.slice(first + 1)]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const charsMax = 4_096
const cut = (text: string) => ({ text: text.slice(0, charsMax), isCut: text.length > charsMax })

function Output({ text, before, letter }: { text: string; before: string | undefined; letter: string }) {
  const { text: shown, isCut } = cut(text)
  if (text === '') return <p class={css.note}>{comparisonText.noOutput}</p>
  const same = before === text
  const pieces = before === undefined || same ? undefined : inlineDiff(cut(before).text, shown)
  return (
    <div class={css.output}>
      {same && <Badge>{comparisonText.sameText(letter)}</Badge>}
      {before !== undefined && !same && pieces === undefined && before !== '' && (
        <Badge>{comparisonText.noMarks}</Badge>
      )}
      <p dir="auto" class={same ? css.clamped : undefined}>
        {pieces === undefined
          ? shown
          : pieces.map(({ text: piece, kind }, index) =>
              kind === 'added' ? (
                <ins key={index}>{piece}</ins>
              ) : kind === 'removed' ? (
                <del key={index}>{piece}</del>
              ) : (
                piece
              ),
            )}
      </p>
      {isCut && <p class={css.note}>{comparisonText.more}</p>}
    </div>
  )
}

/** The value of a scorer, and what it says about it. */
function Score({ name, value, href }: { name: string; value: unknown; href: string | undefined }) {
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined
  const reasons = members?.filter(([, each]) => typeof each === 'string') ?? []
  const figures = members?.filter(([, each]) => typeof each !== 'string') ?? []
  const shown =
    members === undefined ? figureOf(value) : figures.map(([key, each]) => `${key} ${figureOf(each)}`).join(', ')
  return (
    <li>
      {href === undefined ? <strong>{name}</strong> : <a href={href}>{name}</a>} {shown}{' '}
      {reasons.map(([key, reason]) => (
        <bdi key={key} class={css.note}>
          {String(reason).slice(0, 600)}
        </bdi>
      ))}
    </li>
  )
}

const figureOf = (value: unknown): string =>
  typeof value === 'boolean' ? String(Number(value)) : typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
