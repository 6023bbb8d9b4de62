import { useMemo } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Span } from '../../chart/span.ts'
import { TimeBrush } from '../../chart/time-brush.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Dashboard } from '../../dashboard/dashboard.tsx'
import { condition } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { fixedRange, readTimeRange, spanOf, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import { TimeRangePicker } from '../../filter/time-range-picker.tsx'
import { opName } from '../../format/ids.ts'
import { formatCount } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { Page } from '../../page/page.tsx'
import { NamedTabs } from '../../saved/named-tabs.tsx'
import { deleteSaved, type SavedDashboard, saveDashboard, savedDashboards } from '../../saved/saved-dashboards.ts'
import { navigate } from '../../state/location.ts'
import { dashboardPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { type Param, writeSearch } from '../../state/search-text.ts'
import { useSearchToShare } from '../../state/shared-address.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { readFacet } from '../../table/facets/facet-values.ts'
import { timeAnchor } from '../../table/time-anchor.ts'
import { useHistogram } from '../../table/use-histogram.ts'
import { dashboardText } from '../../text/dashboards.ts'
import { savedText } from '../../text/saved.ts'
import { NotFound } from '../not-found/not-found-view.tsx'
import { tracesUrl } from '../traces/traces-url.ts'
import css from './dashboards-view.module.css'

interface DashboardTabsProps {
  readonly projectId: string
  readonly saved: readonly SavedDashboard[]
  /** Id of the dashboard that the address names. */
  readonly current: string
  readonly shown: { readonly op: string; readonly range: TimeRange }
  /** Undefined for the overview. */
  readonly onSelect: (dashboard: SavedDashboard | undefined) => void
}

/** Saved dashboards as tabs. */
function DashboardTabs({ projectId, saved, current, shown, onSelect }: DashboardTabsProps) {
  const dashboard = saved.find(({ id }) => id === current)
  const reload = () => queries.invalidateQueries({ queryKey: savedDashboards(projectId).queryKey })
  const isChanged =
    dashboard !== undefined &&
    (dashboard.op !== shown.op || writeTimeRange(dashboard.range) !== writeTimeRange(shown.range))
  return (
    <NamedTabs
      words={savedText.dashboards}
      items={saved}
      current={current}
      isChanged={isChanged}
      onSelect={(id) => onSelect(saved.find((candidate) => candidate.id === id))}
      onSave={async (label) => {
        const id = await saveDashboard(projectId, { ...shown, label })
        await reload()
        onSelect({ ...shown, label, id })
      }}
      onDrop={async (id) => {
        await deleteSaved(projectId, id)
        await reload()
        onSelect(undefined)
      }}
    />
  )
}

const timeRange: Param<TimeRange | undefined> = {
  initial: undefined,
  read: readTimeRange,
  write: (range) => (range ? writeTimeRange(range) : ''),
}

/** No op in the address is not the same as all ops, which is an empty one. */
const op: Param<string | undefined> = { initial: undefined, read: (name) => name, write: (name) => name ?? '\0' }

/**
 * The address of a dashboard: time range and op. Where it has none, those of the saved dashboard
 * count.
 */
const dashboardsUrl = { t: timeRange, op }

const opsMax = 50
const allTime: TimeRange = { kind: 'all' }

/** Activity and cost of a project over time. The strip on top selects the range of every chart. */
export default function DashboardsView() {
  const projectId = useProject()
  const dashboard = useRoute().params['dashboard'] ?? ''
  const isPhone = useIsPhone()
  const url = useMemo(() => urlState(dashboardsUrl), [])
  const asked = url.values.value
  const dashboards = useQuery(savedDashboards(projectId))
  const saved = dashboards.data?.find(({ id }) => id === dashboard)
  const isReady = dashboard === '' || !dashboards.isPending
  const t = asked.t ?? saved?.range ?? allTime
  const op = asked.op ?? saved?.op ?? ''
  const { histogram: whole } = useHistogram({ projectId, rootsOnly: true, filter: undefined }, undefined, true)
  const chosen = spanOf(t, timeAnchor(projectId))
  const span = chosen ?? whole?.span
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
  if (dashboard !== '' && dashboards.data && !saved) return <NotFound reason={dashboardText.noDashboard} />
  return (
    <Page
      name={dashboardText.title}
      title={dashboardText.title}
      tabs={
        !isPhone && (
          <DashboardTabs
            projectId={projectId}
            saved={dashboards.data ?? []}
            current={dashboard}
            shown={{ op, range: t }}
            onSelect={(selected) => navigate(dashboardPath(projectId, selected?.id, ''))}
          />
        )
      }
      class={css.page}
      actions={
        <>
          <span class={css.hint}>{dashboardText.hint}</span>
          <TimeRangePicker range={t} span={chosen} onChange={(range) => url.commit({ t: orOwn(range) })} />
          <Select
            label={dashboardText.op}
            hideLabel
            class={css.op}
            value={op}
            options={[{ id: '', label: dashboardText.allOps }, ...known.map((name) => ({ id: name, label: name }))]}
            onChange={(name) => url.commit({ op: name === '' && !saved ? undefined : name })}
          />
        </>
      }
    >
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
      {isReady && span && (
        <Dashboard
          key={`${writeTimeRange(t)} ${op} ${span.from}`}
          scope={{ projectId, span, op: op === '' ? undefined : op }}
          isAllTime={t.kind === 'all' && op === ''}
          onOpen={open}
          hrefOfOp={(name) => viewPath(projectId, 'calls', search(formatFilter(condition('op_name', '=', [name])), t))}
        />
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
