import { useRoute } from 'preact-iso'
import { useProject } from '../../state/project.ts'
import { RunList } from './run-list.tsx'
import { RunPage } from './run-page.tsx'

/** Evaluation runs of a project, or one of them. */
export default function EvaluationsView() {
  const { params } = useRoute()
  const projectId = useProject()
  const run = params['run']
  return run === undefined ? <RunList projectId={projectId} /> : <RunPage key={run} projectId={projectId} id={run} />
}
