import { useMemo } from 'preact/hooks'
import type { Span } from '../../chart/span.ts'
import { TimeBrush } from '../../chart/time-brush.tsx'
import { Button } from '../../components/controls/button.tsx'
import { Select } from '../../components/controls/select.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { Dashboard, DashboardSkeleton } from '../../dashboard/dashboard.tsx'
import { reloadBoards, type SavedDashboard, saveDashboard } from '../../dashboard/saved-dashboards.ts'
import { condition } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { fixedRange, spanOf, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import { TimeRangePicker } from '../../filter/time-range-picker.tsx'
import { opName } from '../../format/ids.ts'
import { formatCount } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { type Param, writeSearch } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { useSearchToShare } from '../../state/shared-address.ts'
import { showError } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { readFacet } from '../../table/facets/facet-values.ts'
import { timeAnchor } from '../../table/time-anchor.ts'
import { tracesUrl } from '../../table/traces-url.ts'
import { useHistogram, wholeSpanQuery } from '../../table/use-histogram.ts'
import { boardText } from '../../text/board.ts'
import { dashboardText } from '../../text/dashboards.ts'
import { savedText } from '../../text/saved.ts'
import { BoardTabs } from './board-tabs.tsx'
import { timeRange } from './dashboards-url.ts'
import css from './overview-page.module.css'

/** No op in the address is not the same as all ops, which is an empty one. */
const op: Param<string | undefined> = { initial: undefined, read: (name) => name, write: (name) => name ?? '\0' }

/**
 * The address of a dashboard: time range and op. Where it has none, those of the saved dashboard
 * count.
 */
const dashboardsUrl = { t: timeRange, op }

const opsMax = 50
const allTime: TimeRange = { kind: 'all' }

interface OverviewProps {
  readonly projectId: string
  readonly dashboards: readonly SavedDashboard[]
  /** The saved overview of an operation that the address names. */
  readonly saved: SavedDashboard | undefined
}

/** Activity and cost of a project over time. The strip on top selects the range of every chart. */
export function OverviewPage({ projectId, dashboards, saved }: OverviewProps) {
  const isPhone = useIsPhone()
  const url = useMemo(() => urlState(dashboardsUrl), [])
  const asked = url.values.value
  const t = asked.t ?? saved?.range ?? allTime
  const op = asked.op ?? saved?.op ?? ''
  const { histogram: whole } = useHistogram({ projectId, rootsOnly: true, filter: undefined }, undefined, true)
  const wholeSpan = useQuery(wholeSpanQuery(projectId))
  const chosen = spanOf(t, timeAnchor(projectId))
  const span = chosen ?? wholeSpan.data
  const ops = useQuery({
    queryKey: ['ops of', projectId],
    queryFn: ({ signal }) => readFacet({ projectId, rootsOnly: false, filter: undefined }, 'op_name', opsMax, signal),
    retry: false,
  }).data
  const names = [...new Set((ops?.values ?? []).map(({ value }) => wholeOpName(opName(String(value)))))]
  const known = op === '' || names.includes(op) ? names : [op, ...names]

  // A saved dashboard has a range of its own, so that all time has to be in the address.
  const orOwn = (range: TimeRange) => (range.kind === 'all' && !saved ? undefined : range)
  const search = (filter: string, range: TimeRange): string => writeSearch(tracesUrl, '', { f: filter, t: range })
  const opFilter = op === '' ? '' : formatFilter(condition('op_name', '=', [op]))
  const open = ({ from, to }: Span): void =>
    navigate(viewPath(projectId, op === '' ? 'traces' : 'calls', search(opFilter, { kind: 'between', from, to })))

  useSearchToShare(() => url.searchWith({ t: orOwn(fixedRange(t, timeAnchor(projectId))), op: asked.op ?? saved?.op }))
  const isChanged = saved && (saved.op !== op || writeTimeRange(saved.range) !== writeTimeRange(t))
  const save = async (label: string): Promise<void> => {
    await saveDashboard(projectId, { label, op, range: t })
    await reloadBoards(projectId)
  }
  const opChoice = (
    <Select
      label={dashboardText.op}
      hideLabel
      class={css.op}
      value={op}
      options={[{ id: '', label: dashboardText.allOps }, ...known.map((name) => ({ id: name, label: name }))]}
      onChange={(name) => url.commit({ op: name === '' && !saved ? undefined : name })}
    />
  )
  return (
    <Page
      name={dashboardText.title}
      title={dashboardText.title}
      tabs={
        !isPhone && <BoardTabs projectId={projectId} dashboards={dashboards} current={saved?.id} op={op} range={t} />
      }
      class={css.page}
      actions={
        <>
          <span class={css.hint}>{dashboardText.hint}</span>
          {saved && isChanged && canWrite.value && (
            <Button onClick={() => void save(saved.label).catch(showError)}>{savedText.save}</Button>
          )}
          <TimeRangePicker range={t} span={chosen} onChange={(range) => url.commit({ t: orOwn(range) })} />
          {!isPhone && opChoice}
        </>
      }
    >
      {isPhone && (
        <div class={css.choices}>
          <a class={css.all} href={viewPath(projectId, 'dashboard-list')}>
            {boardText.all}
          </a>
          {opChoice}
        </div>
      )}
      <div class={css.strip}>
        {whole && (
          <TimeBrush
            buckets={whole.buckets}
            span={whole.span}
            selection={chosen && overlap(chosen, whole.span)}
            onSelect={(selected) => url.commit({ t: selected ? { kind: 'between', ...selected } : orOwn(allTime) })}
            noun={(count) => dashboardText.tracesCount(formatCount(count))}
            height={34}
            legend={false}
          />
        )}
      </div>
      {span ? (
        <Dashboard
          key={`${writeTimeRange(t)} ${op} ${span.from}`}
          scope={{ projectId, span, op: op === '' ? undefined : op }}
          isAllTime={t.kind === 'all' && op === ''}
          onOpen={open}
          hrefOfOp={(name) => viewPath(projectId, 'calls', search(formatFilter(condition('op_name', '=', [name])), t))}
        />
      ) : wholeSpan.isError ? (
        <ErrorState error={wholeSpan.error} retry={() => void wholeSpan.refetch()} />
      ) : (
        <DashboardSkeleton isOfOp={op !== ''} />
      )}
    </Page>
  )
}

/** The part of a range that the strip shows; nothing if they do not meet. */
function overlap(range: Span, strip: Span): Span | undefined {
  const from = Math.max(range.from, strip.from)
  const to = Math.min(range.to, strip.to)
  return from < to ? { from, to } : undefined
}
