import { useRoute } from 'preact-iso'
import { useProject } from '../../state/project.ts'
import { LeaderboardList } from './leaderboard-list.tsx'
import { LeaderboardPage } from './leaderboard-page.tsx'

/** Leaderboards of a project, or one of them. */
export default function LeaderboardsView() {
  const { params } = useRoute()
  const projectId = useProject()
  const name = params['leaderboard']
  return name === undefined ? (
    <LeaderboardList projectId={projectId} />
  ) : (
    <LeaderboardPage key={name} projectId={projectId} name={name} version={params['version']} />
  )
}
