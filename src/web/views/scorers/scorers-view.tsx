import { useRoute } from 'preact-iso'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { useProject } from '../../state/project.ts'

// Apart: they share little with each other, and the editor much with those of prompts.
const ScorerList = lazyPart(() => import('./scorer-list.tsx'))
const ScorerPage = lazyPart(() => import('./scorer-page.tsx'))

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
