import { useProject } from '../../state/project.ts'

/** Leaderboards of a project. */
export default function LeaderboardsView() {
  return <p>{useProject()}</p>
}
