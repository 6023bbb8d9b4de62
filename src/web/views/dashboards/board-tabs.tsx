import { LayoutGrid, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { IconButton } from '../../components/controls/button.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import type { SavedDashboard } from '../../dashboard/saved-dashboards.ts'
import type { TimeRange } from '../../filter/time-range.ts'
import { navigate } from '../../state/location.ts'
import { dashboardPath, viewPath } from '../../state/paths.ts'
import { canWrite } from '../../state/session.ts'
import { boardText } from '../../text/board.ts'
import { savedText } from '../../text/saved.ts'
import css from './board-tabs.module.css'

const NewBoardDialog = lazyPart(() => import('../../dashboard/edit/new-board-dialog.tsx'), { loading: () => null })

interface BoardTabsProps {
  readonly projectId: string
  readonly dashboards: readonly SavedDashboard[]
  /** Id of the dashboard that is shown; undefined for the overview. */
  readonly current: string | undefined
  /** What a new dashboard takes over. */
  readonly op: string
  readonly range: TimeRange
}

const first = ''
const tabsMax = 4

/** The overview and some saved dashboards as tabs, a new one, and the way to all of them. */
export function BoardTabs({ projectId, dashboards, current, op, range }: BoardTabsProps) {
  const [isMaking, setMaking] = useState(false)
  const own = dashboards.find(({ id }) => id === current)
  const shown = dashboards.filter((each) => each !== own).slice(0, own ? tabsMax - 1 : tabsMax)
  const kept = dashboards.filter((each) => each === own || shown.includes(each))
  return (
    <div class={css.tabs}>
      <Tabs
        label={savedText.dashboards.label}
        tabs={[{ id: first, label: savedText.dashboards.first }, ...kept.map(({ id, label }) => ({ id, label }))]}
        current={current ?? first}
        onSelect={(id) => navigate(dashboardPath(projectId, id === first ? undefined : id, ''))}
      />
      {canWrite.value && <IconButton of={Plus} size="compact" label={boardText.new} onClick={() => setMaking(true)} />}
      <a
        class={css.all}
        href={viewPath(projectId, 'dashboard-list')}
        aria-label={boardText.all}
        data-tip={boardText.all}
      >
        <Icon of={LayoutGrid} size={14} />
      </a>
      {isMaking && <NewBoardDialog projectId={projectId} op={op} range={range} onClose={() => setMaking(false)} />}
    </div>
  )
}
