import { ChartNoAxesGantt, ListFilter } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { chipWords } from '../../filter/condition-words.ts'
import { allOf, type FilterNode, partsOf } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { countCalls, countWords } from '../../table/count-calls.ts'
import { tableText } from '../../text/table.ts'

/** Says how many there are without the filter, which condition leaves none, and takes it away. */
export function NothingMatches({ projectId, rootsOnly, node, timeFilter, rangeWords, ...on }: NothingProps) {
  const parts = partsOf(node)
  const found = useQuery({
    queryKey: ['nothing', projectId, rootsOnly, formatFilter(node), formatFilter(timeFilter)],
    queryFn: async ({ signal }) => {
      const count = (filter: FilterNode | undefined) => countCalls({ projectId, rootsOnly, filter }, signal)
      const all = partsOf(timeFilter)
      const inRange = await count(timeFilter)
      if (inRange === 0) return { inRange, culprit: -1 }
      const without = parts.slice(0, partsTried).map((_, index) => allOf([...all, ...parts.toSpliced(index, 1)]))
      const counts = await Promise.all(without.map(count))
      return { inRange, culprit: counts.findIndex((left) => left > 0) }
    },
  }).data
  if (!found) return null
  const culprit = parts[found.culprit] ?? (parts.length === 1 ? parts[0] : undefined)
  if (found.inRange === 0 && !timeFilter) {
    return (
      <EmptyState
        icon={ChartNoAxesGantt}
        title={tableText.empty}
        action={
          <Button kind="primary" onClick={() => navigate(viewPath(projectId, 'start'))}>
            {tableText.emptyAction}
          </Button>
        }
      >
        {tableText.emptyReason}
      </EmptyState>
    )
  }
  if (found.inRange === 0) {
    return (
      <EmptyState
        icon={ListFilter}
        title={tableText.noneMatch(rootsOnly)}
        action={<Button onClick={on.onAllTime}>{tableText.allTime}</Button>}
      >
        {tableText.noneInRange(rangeWords)}
      </EmptyState>
    )
  }
  const words = culprit && chipWords(culprit)
  const said = words && [words.field, words.comparator, words.value].filter(Boolean).join(' ')
  return (
    <EmptyState
      icon={ListFilter}
      title={tableText.noneMatch(rootsOnly)}
      action={
        culprit && (
          <Button onClick={() => on.onFilter(allOf(parts.filter((part) => part !== culprit)))}>
            {tableText.removeCondition(said ?? '')}
          </Button>
        )
      }
    >
      {tableText.noneIn(countWords(found.inRange), rangeWords)}{' '}
      {words && tableText.leavesNone(words.field || words.value)}
    </EmptyState>
  )
}

const partsTried = 6

interface NothingProps {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly node: FilterNode | undefined
  /** The time range as a filter; undefined for all time. */
  readonly timeFilter: FilterNode | undefined
  /** The range in words: `Last 24 hours`. */
  readonly rangeWords: string
  readonly onFilter: (node: FilterNode | undefined) => void
  readonly onAllTime: () => void
}
