import { Database } from 'lucide'
import { useState } from 'preact/hooks'
import { projectsQuery } from '../../api/projects.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { queries } from '../../state/query-signal.ts'
import { canWrite, session } from '../../state/session.ts'
import { showToast } from '../../state/toasts.ts'
import { showError } from '../../state/undo.ts'
import { startText } from '../../text/start.ts'

const demoProject = 'demo/airline'

/**
 * Sends example conversations to a project of their own, or to this one where the key reaches no
 * other.
 */
export function DemoCard({ projectId }: { projectId: string }) {
  const [progress, setProgress] = useState<readonly [sent: number, all: number]>()
  const reach = session.value?.projects ?? []
  const target = reach.some((pattern) => pattern === '*' || pattern === 'demo/*') ? demoProject : projectId
  const load = async (): Promise<void> => {
    setProgress([0, 0])
    try {
      const { loadDemo } = await import('../../demo/load-demo.ts')
      await loadDemo(target, (sent, all) => setProgress([sent, all]))
      await queries.invalidateQueries({ queryKey: projectsQuery.queryKey })
      showToast({ kind: 'done', text: startText.demoDone(target) })
      navigate(viewPath(target, 'traces'))
    } catch (error) {
      showError(error)
      setProgress(undefined)
    }
  }
  if (!canWrite.value) {
    return (
      <Card icon={Database} title={startText.demo}>
        {startText.demoReadOnly}
      </Card>
    )
  }
  return (
    <Card
      icon={Database}
      title={startText.demo}
      action={
        <Button busy={progress !== undefined} onClick={load}>
          {startText.demoLoad}
        </Button>
      }
    >
      <span role="status">
        {progress && progress[1] > 0 ? startText.demoBusy(...progress) : startText.demoReason(target)}
      </span>
    </Card>
  )
}
