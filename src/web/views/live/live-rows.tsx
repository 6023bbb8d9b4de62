import type { LiveCall } from '../../api/live.ts'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows } from '../../components/display/fixed-rows.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusOf } from '../../components/display/statuses.ts'
import { formatDuration } from '../../format/duration.ts'
import { lineOfError } from '../../format/error.ts'
import { opName } from '../../format/ids.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { formatWhen } from '../../format/time.ts'
import { tracePath } from '../../state/paths.ts'
import { preferences } from '../../state/preferences.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { liveText } from '../../text/trace/live.ts'
import css from './live-rows.module.css'

const heights = { compact: 26, default: 30, roomy: 40 }
const cardHeight = 60

/** The tail as a table of links: one row a call. */
export function LiveRows({ calls, projectId, cursor, onCursor }: LiveRowsProps) {
  const isPhone = useIsPhone()
  return (
    <div class={css.table}>
      <FixedRows
        role="table"
        aria-rowcount={calls.length}
        items={calls}
        rowHeight={isPhone ? cardHeight : heights[preferences.value.density]}
        tabIndex={0}
        aria-label={liveText.name}
        before={
          <div role="row" class={css.head}>
            <span role="columnheader" aria-label="Status" />
            <span role="columnheader">{liveText.call}</span>
            <span role="columnheader">{liveText.result}</span>
            <span role="columnheader">{liveText.thread}</span>
            <span role="columnheader" class={css.number}>
              {liveText.duration}
            </span>
            <span role="columnheader" class={css.number}>
              {liveText.started}
            </span>
          </div>
        }
        render={(call, index) => (
          <Row
            key={call.id}
            call={call}
            index={index}
            href={tracePath(projectId, call.trace_id, call.id)}
            isCurrent={call.id === cursor}
            onPoint={() => onCursor(call.id)}
          />
        )}
      />
    </div>
  )
}

function Row({ call, index, href, isCurrent, onPoint }: RowProps) {
  const status = statusOf(call.status)
  const error = lineOfError(call.exception)
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      class={classNames(css.row, isCurrent && css.current)}
      onClick={({ target, currentTarget }) => {
        if (!(target instanceof Element && target.closest('a'))) currentTarget.querySelector('a')?.click()
      }}
      onMouseDown={onPoint}
    >
      <span role="cell" class={css.status}>
        <StatusIcon status={status} inList />
      </span>
      <span role="cell" class={css.name}>
        <a href={href} tabIndex={-1}>
          {call.display_name ?? wholeOpName(opName(call.op_name))}
        </a>
        {call.parent_id !== null && <span class={css.child}>{call.trace_id.slice(0, 8)}</span>}
      </span>
      <span role="cell" class={classNames(css.result, error !== null ? css.error : css.inside)}>
        {error ?? call.error_inside?.error ?? ''}
      </span>
      <span role="cell" class={css.thread}>
        {call.thread_id ?? ''}
      </span>
      <span role="cell" class={classNames(css.duration, call.latency_ms === null && css.still)}>
        {call.latency_ms === null ? liveText.running : formatDuration(call.latency_ms)}
      </span>
      <span role="cell" class={css.started} data-tip-time={call.started_at}>
        {formatWhen(call.started_at)}
      </span>
    </div>
  )
}

interface RowProps {
  readonly call: LiveCall
  readonly index: number
  readonly href: string
  readonly isCurrent: boolean
  readonly onPoint: () => void
}

interface LiveRowsProps {
  readonly calls: readonly LiveCall[]
  readonly projectId: string
  /** Id of the call under the cursor. */
  readonly cursor: string | undefined
  readonly onCursor: (id: string) => void
}
