import { LayoutGrid, Radio, SquareTerminal } from 'lucide'
import { useState } from 'preact/hooks'
import { ExportMenu } from '../../bulk/export-menu.tsx'
import { Button } from '../../components/controls/button.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { newCard } from '../../dashboard/cards/board.ts'
import type { Span, TimeRange } from '../../filter/time-range.ts'
import { TimeRangePicker } from '../../filter/time-range-picker.tsx'
import { canWrite, isOperator } from '../../state/session.ts'
import { showError } from '../../state/toasts.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { type CallsQuery, scopeOf, sortKeys } from '../../table/calls-request.ts'
import type { Column } from '../../table/columns/columns.ts'
import { ColumnsMenu } from '../../table/columns/columns-menu.tsx'
import { boardText } from '../../text/board.ts'
import { bulkText } from '../../text/bulk.ts'
import { tableText } from '../../text/table.ts'

const AddToDialog = lazyPart(() => import('../../dashboard/add/add-to-dialog.tsx'), { loading: () => null })

/** Controls at the right of the head of a table: times, live, columns, export. */
export function CallsActions({ query, filter, range, span, columns, isUsual, isLive, ...on }: CallsActionsProps) {
  const isPhone = useIsPhone()
  const [isAdding, setAdding] = useState(false)
  const times = <TimeRangePicker range={range} span={span} onChange={on.onRange} />
  if (isPhone) return times
  return (
    <>
      {times}
      {isLive !== undefined && (
        <Button
          icon={Radio}
          pressed={isLive}
          data-tip={isLive ? tableText.liveOffTip : tableText.liveTip}
          onClick={() => on.onLive(!isLive)}
        >
          {tableText.live}
        </Button>
      )}
      <ColumnsMenu
        columns={columns}
        isUsual={isUsual}
        projectId={query.projectId}
        rootsOnly={query.rootsOnly}
        onChange={on.onColumns}
      />
      <ExportMenu
        query={{ ...scopeOf(query), sort_by: sortKeys(query) }}
        more={[
          ...(canWrite.value ? [dashboardItem(() => setAdding(true))] : []),
          ...(isOperator.value ? [sqlItem(query)] : []),
        ]}
      />
      {isAdding && (
        <AddToDialog
          projectId={query.projectId}
          card={newCard({ shape: 'bars' }, { filter, rows: query.rootsOnly ? 'traces' : 'calls' })}
          range={range}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

/** Adds a chart of the same rows to a dashboard. */
const dashboardItem = (run: () => void): MenuItem => ({
  icon: LayoutGrid,
  separator: true,
  label: boardText.addTo.item,
  run,
})

/** Opens the console with a statement for the same rows, or says why there is none. */
const sqlItem = (query: CallsQuery): MenuItem => ({
  icon: SquareTerminal,
  label: bulkText.asSql,
  run: () => {
    import('../../sql/open-as-sql.ts').then(({ openAsSql }) => openAsSql(query)).catch(showError)
  },
})

interface CallsActionsProps {
  readonly query: CallsQuery
  /** Text of the filter, without the times. */
  readonly filter: string
  readonly range: TimeRange
  readonly span: Span | undefined
  readonly columns: readonly Column[]
  readonly isUsual: boolean
  /** Undefined where the table does not begin with the newest rows. */
  readonly isLive: boolean | undefined
  readonly onRange: (range: TimeRange) => void
  readonly onLive: (isLive: boolean) => void
  readonly onColumns: (columns: readonly Column[] | undefined) => void
}
