import { FolderOpen } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { canWrite, session } from '../../state/session.ts'
import { projectsText } from '../../text/projects.ts'
import { startText } from '../../text/start.ts'
import css from '../start/send-traces.module.css'
import { SendTraces } from '../start/send-traces.tsx'

/** The list of projects before the first trace: how to send one, and the demo. */
export function NoProjects({ onOther }: { onOther: () => void }) {
  if (!canWrite.value) {
    return (
      <EmptyState icon={FolderOpen} title={projectsText.noneTitle}>
        {projectsText.noneRead}
      </EmptyState>
    )
  }
  const projectId = firstProject(session.value?.projects ?? [])
  return (
    <div class={css.body}>
      <div class={css.column}>
        <h2 class={css.title}>{startText.title}</h2>
        <p class={css.lead}>
          {projectsText.emptyReason(projectId)}{' '}
          <Button kind="quiet" size="compact" onClick={onOther}>
            {projectsText.otherProject}
          </Button>
        </p>
        <SendTraces projectId={projectId} isEmpty />
      </div>
    </div>
  )
}

/** A project to begin with that the key reaches. */
function firstProject(reach: readonly string[]): string {
  const pattern = reach.find((each) => each !== '*') ?? '*'
  if (reach.includes('*') || pattern === '*') return 'acme/hello'
  return pattern.endsWith('/*') ? pattern.replace('*', 'hello') : pattern
}
