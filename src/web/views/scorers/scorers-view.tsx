import { useRoute } from 'preact-iso'
import { useProject } from '../../state/project.ts'
import { ScorerList } from './scorer-list.tsx'
import { ScorerPage } from './scorer-page.tsx'

/** The scorers of a project, or one of them. */
export default function ScorersView() {
  const { params } = useRoute()
  const projectId = useProject()
  const { scorer, version } = params
  return scorer === undefined ? (
    <ScorerList projectId={projectId} />
  ) : (
    <ScorerPage key={scorer} projectId={projectId} name={scorer} version={version} />
  )
}
