import { useRoute } from 'preact-iso'
import { useProject } from '../../state/project.ts'
import { TracePage } from './trace-page.tsx'

/** A trace, with one of its calls open. */
export default function TraceView() {
  const { params } = useRoute()
  return <TracePage projectId={useProject()} traceId={params['trace'] ?? ''} />
}
