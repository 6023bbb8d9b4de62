import { itemAt } from '../../lib/present.ts'
import { classNames } from '../components/display/class-names.ts'
import { KindIcon } from '../components/display/kind-icon.tsx'
import { kindOf as knownKind } from '../components/display/kinds.ts'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { statusOf as knownStatus } from '../components/display/statuses.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatShort } from '../format/number.ts'
import { compareText } from '../text/trace/compare.ts'
import { endOf, kindOf, nameOf } from '../trace/skeleton.ts'
import { type AlignedRow, rowIn, type Side } from './align.ts'
import css from './compare-row.module.css'
import { letters } from './side-mark.tsx'

const barMax = 56

interface CompareRowProps {
  readonly sides: readonly Side[]
  readonly row: AlignedRow
  readonly id: string
  readonly longest: number
  readonly isDifferent: boolean
  readonly isSelected: boolean
  readonly onSelect: () => void
}

/** The same call in all traces: how it went, how long it took, what it cost. */
export function CompareRow({ sides, row, id, longest, isDifferent, isSelected, onSelect }: CompareRowProps) {
  const first = row.rows.findIndex((each) => each >= 0)
  const { skeleton } = itemAt(sides, first)
  const call = rowIn(row, first)
  return (
    <div
      id={id}
      role="row"
      aria-selected={isSelected}
      class={classNames(css.row, isSelected && css.selected, isDifferent && css.different)}
      style={{ '--sides': sides.length }}
      onClick={onSelect}
    >
      <span role="rowheader" class={css.name} style={{ paddingInlineStart: `${16 + Math.min(row.depth, 8) * 16}px` }}>
        <KindIcon kind={knownKind(kindOf(skeleton, call))} hidden />
        <span class="cut">{nameOf(skeleton, call)}</span>
      </span>
      {sides.map((side, index) => (
        <Cell key={letters[index]} side={side} row={rowIn(row, index)} longest={longest} />
      ))}
    </div>
  )
}

function Cell({ side: { skeleton }, row, longest }: { side: Side; row: number; longest: number }) {
  if (row < 0) {
    return (
      <span role="gridcell" class={css.missing}>
        {compareText.missing}
      </span>
    )
  }
  const status = knownStatus(skeleton.statuses[skeleton.status(row)])
  const duration = endOf(skeleton, row, 0) - skeleton.start(row)
  const tokens = skeleton.totalTokens(row)
  const cost = skeleton.totalCost(row)
  return (
    <span role="gridcell" class={css.cell}>
      <StatusIcon status={status} inList size={14} />
      <span class={css.time}>{formatDuration(duration)}</span>
      <span class={css.track}>
        <span
          class={classNames(css.bar, status === 'error' && css.failed)}
          style={{ width: `${(duration / longest) * barMax}px` }}
        />
      </span>
      <span class={css.tokens}>{tokens > 0 ? formatShort(tokens) : ''}</span>
      <span class={css.cost}>{Number.isNaN(cost) ? '' : formatCost(cost)}</span>
    </span>
  )
}
