import { CircleX, ExternalLink, TriangleAlert } from 'lucide'
import { Icon } from '../components/display/icon.tsx'
import { ScoreMark } from '../components/display/score-mark.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount } from '../format/number.ts'
import { type ScoreValue, scoreTypes } from '../format/score-type.ts'
import { tracePath } from '../state/paths.ts'
import { scorerText } from '../text/evaluation/scorer.ts'
import { isAllowed } from './answer.ts'
import css from './preview.module.css'
import type { Judge } from './scorer.ts'
import { type Preview, scoreIn } from './use-preview.ts'

interface PreviewResultProps {
  readonly projectId: string
  readonly judge: Judge
  readonly preview: Preview
}

const isScore = (value: unknown): value is ScoreValue =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'

/** What came of the row: the score and its reason, or what the provider said instead. */
export function PreviewResult({ projectId, judge, preview }: PreviewResultProps) {
  const { judged, isStale, cost } = preview
  if (judged === undefined) return <p class={css.note}>{scorerText.noScore}</p>
  const { run } = judged
  const { state, text, callId, traceId, durationMs, tokensIn, tokensOut } = run
  const isOver = state !== 'waiting' && state !== 'streaming'
  return (
    <section class={css.result} aria-label={scorerText.score} aria-busy={!isOver}>
      {!isOver && (
        <p class={css.waiting}>
          <StatusIcon status="running" hidden /> {scorerText.waiting}
        </p>
      )}
      {isStale && isOver && <p class={css.warning}>{scorerText.stale}</p>}
      {run.error !== undefined ? (
        <Failure preview={preview} />
      ) : (
        isOver && text !== '' && <Score {...{ judge, text }} />
      )}
      {isOver && (
        <footer class={css.facts}>
          {durationMs !== undefined && <span>{formatDuration(durationMs)}</span>}
          {tokensIn !== undefined && (
            <span>{scorerText.tokens(formatCount(tokensIn), formatCount(tokensOut ?? 0))}</span>
          )}
          {tokensIn !== undefined && <span>{cost === undefined ? scorerText.noPrice : formatCost(cost)}</span>}
          {callId !== undefined && traceId !== undefined && (
            <a class={css.call} href={tracePath(projectId, traceId, callId)}>
              <Icon of={ExternalLink} size={14} />
              {scorerText.openCall}
            </a>
          )}
        </footer>
      )}
    </section>
  )
}

/** The score as a run would keep it: its members, then the reason. */
function Score({ judge, text }: { readonly judge: Judge; readonly text: string }) {
  const value = scoreIn(text)
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const isText = members.length === 1 && members[0]?.[0] === 'text' && members[0][1] === text
  const scores = members.filter(([name]) => name !== 'reason')
  const reason = members.find(([name]) => name === 'reason')?.[1]
  const types = scoreTypes(scores.flatMap(([name, each]) => (isScore(each) ? [{ name, value: each }] : [])))
  return (
    <>
      <dl class={css.scores}>
        {scores.map(([name, each]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              {isScore(each) ? (
                <ScoreMark value={each} type={types.get(name) ?? 'text'} />
              ) : (
                <code>{JSON.stringify(each)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {reason !== undefined && (
        <p class={css.reason} dir="auto">
          {typeof reason === 'string' ? reason : JSON.stringify(reason)}
        </p>
      )}
      {isText && <p class={css.note}>{scorerText.asText}</p>}
      {!isAllowed(judge.answer, value) && (
        <p class={css.warning} role="alert">
          <Icon of={TriangleAlert} size={14} /> {scorerText.notAllowed}
        </p>
      )}
    </>
  )
}

/** What the provider answered instead, as it was sent. */
function Failure({ preview: { judged } }: { readonly preview: Preview }) {
  const { error, answer, text } = judged?.run ?? {}
  const waitMs = answer?.retry_after_ms ?? undefined
  return (
    <div class={css.failure} role="alert">
      <strong class={css.failureHead}>
        <Icon of={CircleX} size={16} />
        {answer === undefined
          ? text === ''
            ? scorerText.unsent
            : scorerText.incomplete
          : scorerText.providerError(answer.status)}
      </strong>
      <pre class={css.body} tabIndex={0}>
        {answer?.body || error}
      </pre>
      {waitMs !== undefined && <p class={css.note}>{scorerText.retryAfter(Math.ceil(waitMs / 1000))}</p>}
    </div>
  )
}
