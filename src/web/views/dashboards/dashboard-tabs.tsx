import { type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import { NamedTabs } from '../../saved/named-tabs.tsx'
import { type SavedDashboard, saveDashboard, savedDashboards } from '../../saved/saved-dashboards.ts'
import { deleteSaved } from '../../saved/saved-object.ts'
import { queries } from '../../state/query-signal.ts'
import { savedText } from '../../text/saved.ts'

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
export function DashboardTabs({ projectId, saved, current, shown, onSelect }: DashboardTabsProps) {
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
