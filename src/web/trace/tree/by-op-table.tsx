import { ArrowDown } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { KindIcon } from '../../components/display/kind-icon.tsx'
import { kindColor, kindOf } from '../../components/display/kinds.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCost, formatCount, formatShare, formatShort } from '../../format/number.ts'
import { traceText } from '../../text/trace/trace.ts'
import type { Skeleton } from '../skeleton.ts'
import { groupByOp, type OpGroup } from './by-op.ts'
import css from './by-op-table.module.css'

/** Groups that are shown; a trace with more distinct names shows the first. */
const groupsMax = 500

type Column = 'calls' | 'errors' | 'self' | 'total' | 'p50' | 'p95' | 'max' | 'tokens' | 'cost'
const columns: readonly Column[] = ['calls', 'errors', 'self', 'total', 'p50', 'p95', 'max', 'tokens', 'cost']

interface ByOpProps {
  readonly skeleton: Skeleton
  readonly now: number
  readonly onOpen: (row: number) => void
}

/** The calls of a trace by name, with the time spent in themselves. */
export default function ByOpTable({ skeleton, now, onOpen }: ByOpProps) {
  const [sort, setSort] = useState<Column>('self')
  const groups = useMemo(() => groupByOp(skeleton, now), [skeleton, now])
  const sorted = groups.toSorted((a, b) => (b[sort] || 0) - (a[sort] || 0)).slice(0, groupsMax)
  const selfOfAll = groups.reduce((sum, { self }) => sum + self, 0) || 1
  const selfMax = Math.max(...groups.map(({ self }) => self), 1)
  const title = { ...traceText, calls: traceText.calls }
  return (
    <div class={css.scroll} tabIndex={0} role="region" aria-label={traceText.byOp}>
      <table class={css.table}>
        <thead>
          <tr>
            <th scope="col">{traceText.op}</th>
            {columns.map((column) => (
              <th key={column} scope="col" aria-sort={sort === column ? 'descending' : undefined}>
                <button type="button" class={css.sort} onClick={() => setSort(column)}>
                  {sort === column && <Icon of={ArrowDown} size={12} />}
                  {title[column]}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((group) => (
            <tr key={group.name}>
              <th scope="row">
                <button
                  type="button"
                  class={css.op}
                  onClick={() => onOpen(group.slowestRow)}
                  data-tip={traceText.flameSlowest}
                >
                  <KindIcon kind={kindOf(group.kind)} />
                  <span class="cut">{group.name}</span>
                </button>
              </th>
              <td>{formatCount(group.calls)}</td>
              <td class={classNames(group.errors > 0 && css.errors)}>
                {group.errors > 0 ? (
                  <button type="button" class={css.link} onClick={() => onOpen(group.firstErrorRow)}>
                    {formatCount(group.errors)}
                  </button>
                ) : (
                  <span class={css.none}>0</span>
                )}
              </td>
              <td class={css.self}>
                <span
                  class={css.bar}
                  style={{ width: `${(group.self / selfMax) * 40}px`, background: kindColor(kindOf(group.kind)) }}
                />
                <span class={css.share}>{formatShare(group.self / selfOfAll)}</span>
                {formatDuration(group.self)}
              </td>
              {times(group).map((time, index) => (
                <td key={index}>{formatDuration(time)}</td>
              ))}
              <td>{Number.isNaN(group.tokens) ? '' : formatShort(group.tokens)}</td>
              <td>{Number.isNaN(group.cost) ? '' : formatCost(group.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const times = ({ total, p50, p95, max }: OpGroup): number[] => [total, p50, p95, max]
