import { ChevronDown, ChevronLeft, ChevronUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { sharedLink } from '../base.ts'
import { IconButton } from '../components/controls/button.tsx'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { Icon } from '../components/display/icon.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { statusOf } from '../components/display/statuses.ts'
import { LiveDot } from '../components/states/live-dot.tsx'
import { formatDuration } from '../format/duration.ts'
import { shortId } from '../format/ids.ts'
import { formatCost, formatCount, formatShort } from '../format/number.ts'
import { formatFullTime, formatMoment } from '../format/time.ts'
import { threadPath, viewPath } from '../state/paths.ts'
import { trailOf } from '../state/trail.ts'
import { traceText } from '../text/trace/trace.ts'
import { nameOf, type Skeleton } from './skeleton.ts'
import css from './trace-head.module.css'

interface TraceHeadProps {
  readonly projectId: string
  readonly traceId: string
  readonly skeleton: Skeleton
  readonly length: number
  readonly errors: number
  readonly isRunning: boolean
  readonly onNeighbour: (step: 1 | -1) => void
}

/** Name, duration and cost of a trace. */
export function TraceHead({ projectId, traceId, skeleton, length, errors, isRunning, onNeighbour }: TraceHeadProps) {
  const status = statusOf(skeleton.statuses[skeleton.status(0)])
  const roots = [...rootsOf(skeleton)]
  const tokens = roots.reduce((sum, row) => sum + skeleton.totalTokens(row), 0)
  const costs = roots.map((row) => skeleton.totalCost(row)).filter((cost) => !Number.isNaN(cost))
  const shown = status === 'success' && errors > 0 ? 'descendant_error' : status
  return (
    <header class={css.head}>
      {sharedLink === undefined && (
        <a
          class={css.back}
          href={trailOf(projectId, traceId)?.from ?? viewPath(projectId, 'traces')}
          aria-label={traceText.back}
          data-tip={traceText.back}
        >
          <Icon of={ChevronLeft} />
        </a>
      )}
      <StatusIcon status={shown} />
      <div class={css.titles}>
        <h1 class={css.title}>
          <span class="cut">{nameOf(skeleton, 0)}</span>
          <span class={css.id}>{shortId(traceId, 8)}</span>
          <CopyButton text={traceId} label={traceText.copyId} />
        </h1>
        <p class={css.when} data-tip={formatFullTime(skeleton.startedAt)}>
          {formatMoment(skeleton.startedAt)}
        </p>
      </div>
      <dl class={css.figures}>
        <Figure name={traceText.duration}>
          {isRunning && <LiveDot />}
          {formatDuration(length)}
        </Figure>
        <Figure name={traceText.calls}>{formatCount(skeleton.callCount)}</Figure>
        {tokens > 0 && <Figure name={traceText.tokens}>{formatShort(tokens)}</Figure>}
        {costs.length > 0 && (
          <Figure name={traceText.cost}>{formatCost(costs.reduce((sum, cost) => sum + cost, 0))}</Figure>
        )}
        {errors > 0 && (
          <Figure name={traceText.errors}>
            <span class={css.errors}>{status === 'error' ? formatCount(errors) : traceText.errorsInside(errors)}</span>
          </Figure>
        )}
        {skeleton.threadId !== null && sharedLink === undefined && (
          <Figure name={traceText.thread}>
            <a class="cut" href={threadPath(projectId, skeleton.threadId)}>
              {shortId(skeleton.threadId, 24)}
            </a>
          </Figure>
        )}
      </dl>
      {sharedLink === undefined && (
        <div class={css.actions}>
          <div class={css.neighbours}>
            <IconButton of={ChevronUp} label={traceText.previousTrace} hint="[" onClick={() => onNeighbour(-1)} />
            <IconButton of={ChevronDown} label={traceText.nextTrace} hint="]" onClick={() => onNeighbour(1)} />
          </div>
        </div>
      )}
    </header>
  )
}

const Figure = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class={css.figure}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function* rootsOf({ size, end }: Skeleton): Generator<number> {
  for (let row = 0; row < size; row = end(row)) yield row
}
