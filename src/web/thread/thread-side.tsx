import type { ComponentChildren } from 'preact'
import { classNames } from '../components/display/class-names.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount, formatShort } from '../format/number.ts'
import { formatDayMinute, formatFullTime } from '../format/time.ts'
import { threadText } from '../text/trace/thread.ts'
import css from './thread-side.module.css'
import type { Turn } from './turns.ts'

const barWidth = 168
/** Turns in the chart; longer threads show the last ones. */
const turnsMax = 100

interface ThreadSideProps {
  readonly turns: readonly Turn[]
  readonly current: number
  readonly onOpen: (number: number) => void
  readonly scores: ComponentChildren
}

/** Totals of a thread, and how its time was spent. */
export function ThreadSide({ turns, current, onOpen, scores }: ThreadSideProps) {
  const total = (of: (turn: Turn) => number) => turns.reduce((sum, turn) => sum + of(turn), 0)
  const costs = turns.map(({ cost }) => cost).filter((cost) => !Number.isNaN(cost))
  const longest = Math.max(1, ...turns.map(({ modelMs, toolMs, latency }) => Math.max(modelMs + toolMs, latency)))
  const first = turns[0]
  const modelMs = total((turn) => turn.modelMs)
  const toolMs = total((turn) => turn.toolMs)
  return (
    <aside class={css.side} aria-label={threadText.summary} tabIndex={0}>
      <h2 class={css.head}>{threadText.summary}</h2>
      <dl class={css.facts}>
        <Fact name={threadText.turns}>{formatCount(turns.length)}</Fact>
        {first && (
          <Fact name={threadText.started} tip={formatFullTime(first.startedAt)}>
            {formatDayMinute(first.startedAt)}
          </Fact>
        )}
        {modelMs > 0 && <Fact name={threadText.timeInModel}>{formatDuration(modelMs)}</Fact>}
        {toolMs > 0 && <Fact name={threadText.timeInTools}>{formatDuration(toolMs)}</Fact>}
        <Fact name={threadText.tokens}>{formatShort(total(({ tokens }) => tokens))}</Fact>
        {costs.length > 0 && (
          <Fact name={threadText.cost}>{formatCost(costs.reduce((sum, cost) => sum + cost, 0))}</Fact>
        )}
        <Fact name={threadText.errors}>{formatCount(total(({ errors }) => errors))}</Fact>
      </dl>
      <h2 class={css.head}>{threadText.latencyByTurn}</h2>
      <ol class={css.bars}>
        {turns.slice(-turnsMax).map((turn) => (
          <li key={turn.id}>
            <button
              type="button"
              class={classNames(css.bar, turn.number === current && css.current)}
              aria-label={`${threadText.turn(turn.number)}, ${formatDuration(turn.latency)}`}
              onClick={() => onOpen(turn.number)}
            >
              <span class={css.number}>{turn.number}</span>
              <span class={css.track}>
                <span class={css.model} style={{ width: `${(turn.modelMs / longest) * barWidth}px` }} />
                <span class={css.tool} style={{ width: `${(turn.toolMs / longest) * barWidth}px` }} />
                {turn.modelMs + turn.toolMs === 0 && (
                  <span class={css.other} style={{ width: `${(turn.latency / longest) * barWidth}px` }} />
                )}
              </span>
              <span class={css.time}>{formatDuration(turn.latency)}</span>
            </button>
          </li>
        ))}
      </ol>
      {modelMs + toolMs > 0 && (
        <p class={css.legend}>
          <span class={css.model} /> {threadText.model}
          <span class={css.tool} /> {threadText.tools}
        </p>
      )}
      {scores}
    </aside>
  )
}

const Fact = ({ name, tip, children }: { name: string; tip?: string; children: ComponentChildren }) => (
  <div class={css.fact} data-tip={tip}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
