import { diffWordsWithSpace } from 'diff'
import { CircleX, RotateCw, Sparkle } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { FoldText } from '../call/messages/fold-text.tsx'
import { Button } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { Icon } from '../components/display/icon.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { formatCount } from '../format/number.ts'
import { playgroundText } from '../text/playground.ts'
import { callText } from '../text/trace/call.ts'
import css from './answer.module.css'
import type { Run } from './run.ts'
import type { ToolResult } from './use-source.ts'

const ToolCalls = lazyPart(() => import('./tool-results.tsx'), { loading: () => null })

interface AnswerProps {
  readonly run: Run
  /** Answer of A to mark differences to; undefined for none. */
  readonly compared: string | undefined
  readonly canRun: boolean
  readonly resultOf: (call: Run['toolCalls'][number]) => ToolResult | undefined
  readonly onContinue: () => void
  /** Sends the results of the tools that the model called. */
  readonly onResults: (results: readonly string[]) => void
}

/** What came from the model: text as it streams, and tool calls that wait for their results. */
export function Answer({ run, compared, canRun, resultOf, onContinue, onResults }: AnswerProps) {
  const { state, text, toolCalls, tokensOut, error } = run
  const isOver = state !== 'waiting' && state !== 'streaming'
  const isCut = state === 'incomplete' || (state === 'stopped' && text !== '')
  return (
    <article class={css.answer} aria-label={playgroundText.answer} aria-busy={!isOver}>
      <header class={css.head}>
        <Icon of={Sparkle} size={14} class={css.icon} />
        <span>{playgroundText.assistant}</span>
        {!isOver && (
          <Badge tone="accent">
            <StatusIcon status="running" size={12} hidden />
            {playgroundText.states[state]}
          </Badge>
        )}
        {isCut && <Badge tone="warn">{playgroundText.incomplete}</Badge>}
        {state === 'stopped' && <Badge>{playgroundText.states.stopped}</Badge>}
        {tokensOut !== undefined && <span class={css.tokens}>{playgroundText.tokensOf(formatCount(tokensOut))}</span>}
      </header>
      <div class={css.text} dir="auto">
        {compared !== undefined && text !== '' ? (
          <Marked before={compared} after={text} />
        ) : isOver && toolCalls.length === 0 ? (
          text === '' && state === 'done' ? (
            <span class={css.none}>{playgroundText.noAnswer}</span>
          ) : (
            <FoldText text={text} showAll={callText.showAll} showLess={callText.showLess} />
          )
        ) : (
          <span class={css.plain}>{text}</span>
        )}
        {state === 'streaming' && <span class={css.caret} aria-hidden />}
      </div>
      {toolCalls.length > 0 && (
        <ToolCalls
          key={String(isOver)}
          {...{ toolCalls, resultOf, onResults }}
          canAnswer={canRun && state === 'done'}
        />
      )}
      {isCut && (
        <div class={css.cut}>
          {error !== undefined && <p class={css.error}>{error}</p>}
          {canRun && toolCalls.length === 0 && (
            <Button size="compact" icon={RotateCw} onClick={onContinue}>
              {playgroundText.continue}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

/** Longer answers are not compared. */
const comparedMax = 50_000

/** An answer with what differs from another one. */
function Marked({ before, after }: { before: string; after: string }) {
  const words = useMemo(
    () =>
      before.length + after.length > comparedMax ? undefined : diffWordsWithSpace(before, after, { timeout: 200 }),
    [before, after],
  )
  if (words === undefined) return <span class={css.plain}>{after}</span>
  if (before === after) return <span class={css.none}>{playgroundText.equalToA}</span>
  return (
    <span class={css.plain}>
      {words.map(({ value, added, removed }, index) =>
        added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : value,
      )}
    </span>
  )
}

interface FailureProps {
  readonly run: Run
  readonly againAt: number | undefined
  readonly canRun: boolean
  readonly onTry: () => void
  readonly onDoNotWait: () => void
}

/** What the provider answered instead, as it was sent, with the wait that it asks for. */
export function Failure({ run: { error, answer }, againAt, canRun, onTry, onDoNotWait }: FailureProps) {
  return (
    <section class={css.failure} role="alert">
      <header class={css.failureHead}>
        <Icon of={CircleX} size={16} />
        <strong>{answer === undefined ? playgroundText.unsent : playgroundText.providerError(answer.status)}</strong>
        {againAt !== undefined && <Countdown until={againAt} />}
      </header>
      <pre class={css.body} tabIndex={0}>
        {answer?.body || error}
      </pre>
      <footer class={css.failureFoot}>
        {answer?.retry_after_ms != null && (
          <span>{playgroundText.retryAfter(`${Math.ceil(answer.retry_after_ms / 1000)} s`)}</span>
        )}
        {canRun && (
          <span class={css.buttons}>
            {againAt !== undefined && (
              <Button kind="quiet" size="compact" onClick={onDoNotWait}>
                {playgroundText.doNotWait}
              </Button>
            )}
            <Button size="compact" onClick={onTry}>
              {playgroundText.tryNow}
            </Button>
          </span>
        )}
      </footer>
    </section>
  )
}

/** The seconds until a time, and a bar of what has passed. */
function Countdown({ until }: { until: number }) {
  const [[from, now], setTimes] = useState(() => [Date.now(), Date.now()] as const)
  useEffect(() => {
    const timer = setInterval(() => setTimes(([start]) => [start, Date.now()]), 250)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, until - now)
  return (
    <>
      <span class={css.wait} role="timer">
        {playgroundText.again(Math.ceil(left / 1000))}
      </span>
      <span class={css.bar} style={{ width: `${100 * Math.min(1, (now - from) / Math.max(1, until - from))}%` }} />
    </>
  )
}
