import { useRoute } from 'preact-iso'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { savedDashboards } from '../../dashboard/saved-dashboards.ts'
import { Page } from '../../page/page.tsx'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { dashboardText } from '../../text/dashboards.ts'
import { NotFound } from '../not-found/not-found-view.tsx'
import { BoardPage } from './board-page.tsx'
import { OverviewPage } from './overview-page.tsx'

/** The overview of a project, or a dashboard that somebody saved. */
export default function DashboardsView() {
  const projectId = useProject()
  const id = useRoute().params['dashboard'] ?? ''
  const { data, error, refetch } = useQuery(savedDashboards(projectId))
  const saved = data?.find((each) => each.id === id)
  if (saved?.board) {
    return <BoardPage key={id} projectId={projectId} dashboards={data ?? []} saved={{ ...saved, board: saved.board }} />
  }
  if (id === '' || saved) return <OverviewPage key={id} projectId={projectId} dashboards={data ?? []} saved={saved} />
  if (data) return <NotFound reason={dashboardText.noDashboard} />
  if (!error) return <LoadingPage />
  return (
    <Page name={dashboardText.title} title={dashboardText.title}>
      <ErrorState error={error} retry={() => void refetch()} />
    </Page>
  )
}

const LoadingPage = () => (
  <Page name={dashboardText.title} title={dashboardText.title}>
    <LoadingRows columns="1fr 1fr" rows={6} height={60} />
  </Page>
)
