import { Database } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { projectsQuery } from '../../api/projects.ts'
import { Button } from '../../components/controls/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { deleteDemo, demoProgress, demoProject, sendDemo } from '../../demo/demo-progress.ts'
import { type DemoPosition, demoSteps } from '../../demo/demo-steps.ts'
import { formatCount } from '../../format/number.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite, isAdmin, session } from '../../state/session.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { startText } from '../../text/start.ts'
import css from './demo-card.module.css'

/**
 * Loads example conversations into a project of their own, or into this one where the key reaches
 * no other; opens them, and deletes them again.
 */
export function DemoCard({ projectId }: { projectId: string }) {
  const { data } = useQuery(projectsQuery)
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const progress = demoProgress.value
  const reach = session.value?.projects ?? []
  const target = reach.some((pattern) => pattern === '*' || pattern === 'demo/*') ? demoProject : projectId
  const loaded = target === demoProject ? data?.projects.find(({ project_id }) => project_id === target) : undefined
  const open = () => navigate(viewPath(target, 'traces'))
  const load = async (): Promise<void> => {
    try {
      await sendDemo(target)
      showToast({ kind: 'done', text: startText.demoDone(target) })
      if (isShown.current) open()
    } catch (error) {
      showError(error)
    }
  }
  if (!canWrite.value) {
    return (
      <Card icon={Database} title={startText.demo}>
        {startText.demoReadOnly}
      </Card>
    )
  }
  if (progress !== undefined) {
    return (
      <Card icon={Database} title={progress.kind === 'loading' ? startText.demoLoading : startText.demoDeleting}>
        <span role="status">
          {progress.kind === 'deleting'
            ? startText.demoDeletingReason
            : startText.demoSteps[progress.step](progress.done, progress.all)}
        </span>
        <progress
          class={css.progress}
          aria-label={startText.demo}
          {...(progress.kind === 'loading' && { value: shareDone(progress) })}
        />
      </Card>
    )
  }
  if (loaded !== undefined) return <LoadedDemo calls={loaded.calls} open={open} />
  return (
    <Card icon={Database} title={startText.demo} action={<Button onClick={load}>{startText.demoLoad}</Button>}>
      {startText.demoReason(target)}
    </Card>
  )
}

/** The share of loading that is done: every step counts the same. */
const shareDone = ({ step, done, all }: DemoPosition): number =>
  (demoSteps.indexOf(step) + (all > 0 ? done / all : 0)) / demoSteps.length

function LoadedDemo({ calls, open }: { calls: number; open: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card
      icon={Database}
      title={startText.demoHere}
      action={
        <span class={css.actions}>
          {isAdmin.value && (
            <Button kind="quiet" onClick={() => setAsking(true)}>
              {startText.demoDelete}
            </Button>
          )}
          <Button onClick={open}>{startText.demoOpen}</Button>
        </span>
      }
    >
      {startText.demoHereReason(demoProject, formatCount(calls))}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={startText.demoDeleteTitle}
        verb={startText.demoDelete}
        keep={partsText.cancel}
        run={async () => {
          setAsking(false)
          await deleteDemo()
          showToast({ kind: 'done', text: startText.demoDeleted })
        }}
      >
        {startText.demoDeleteReason(demoProject, formatCount(calls))}
      </ConfirmDialog>
    </Card>
  )
}
