import { useState } from 'preact/hooks'
import { eraseProject, erasureQuery, retentionQuery } from '../../../api/settings.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field } from '../../../components/controls/field.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatDate } from '../../../format/time.ts'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { isAdmin } from '../../../state/session.ts'
import { showError } from '../../../state/toasts.ts'
import { usePlace } from '../../../state/use-place.ts'
import { partsText } from '../../../text/parts.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { retentionText } from '../../../text/settings/settings-pages.ts'
import { NoProject } from '../no-project.tsx'
import css from '../settings.module.css'
import { RetentionDialog } from './retention-dialog.tsx'

const pollMs = 1_000

/** Erases the project, and shows how far that has come. */
function EraseSection({ projectId }: { readonly projectId: string }) {
  const { data } = useQuery({
    ...erasureQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
  })
  const [isAsking, setAsking] = useState(false)
  const isRunning = data?.state === 'running'
  const readAgain = () => queries.invalidateQueries({ queryKey: erasureQuery(projectId).queryKey })
  return (
    <Section
      title={retentionText.title}
      lead={retentionText.eraseLead(projectId)}
      action={
        <Button kind="danger" disabled={isRunning} onClick={() => setAsking(true)}>
          {retentionText.erase}
        </Button>
      }
    >
      {data && (
        <Facts
          facts={[
            isRunning
              ? [retentionText.erasing, retentionText.erasingText(data.files_left)]
              : data.state === 'failed'
                ? [retentionText.failed, data.error ?? '']
                : [retentionText.last, formatDate(data.finished_at ?? data.requested_at)],
          ]}
        />
      )}
      {isAsking && <EraseDialog projectId={projectId} onClose={() => setAsking(false)} onBegun={readAgain} />}
    </Section>
  )
}

function EraseDialog({ projectId, onClose, onBegun }: EraseDialogProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const erase = async (): Promise<void> => {
    setBusy(true)
    try {
      await eraseProject(projectId)
      // Everything that has been read is deleted.
      await queries.invalidateQueries()
      onBegun()
      onClose()
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={retentionText.eraseTitle(projectId)}
      foot={
        <>
          <Button onClick={onClose}>{partsText.cancel}</Button>
          <Button kind="danger-filled" busy={isBusy} disabled={typed !== projectId} onClick={erase}>
            {retentionText.eraseVerb}
          </Button>
        </>
      }
    >
      <div class={css.form}>
        <p>{retentionText.eraseText}</p>
        <Field
          label={retentionText.typeName(projectId)}
          autofocus
          mono
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}

interface EraseDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  readonly onBegun: () => unknown
}

/** For how long a project keeps its calls, and its erasure. */
export default function Retention() {
  const { projectId } = usePlace()
  const { data, error, refetch } = useQuery({ ...retentionQuery(projectId), enabled: projectId !== undefined })
  const [isChanging, setChanging] = useState(false)
  if (projectId === undefined) {
    return <NoProject words={retentionText} />
  }
  const readAgain = () => queries.invalidateQueries({ queryKey: retentionQuery(projectId).queryKey })
  const setBy = data?.ext_username && `${data.ext_username}, ${formatDate(data.updated_at ?? '')}`
  return (
    <>
      <Section
        title={settingsText.sections.retention}
        lead={retentionText.lead(projectId)}
        action={isAdmin.value && <Button onClick={() => setChanging(true)}>{retentionText.change}</Button>}
      >
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <LoadingRows columns="1fr 2fr" rows={2} height={40} />
        ) : (
          <Facts
            facts={[
              [
                retentionText.kept,
                data.retention_days === null ? retentionText.forEver : retentionText.forDays(data.retention_days),
              ],
              ...(setBy ? [[retentionText.setBy, setBy] as const] : []),
            ]}
          />
        )}
      </Section>
      {isAdmin.value && <EraseSection projectId={projectId} />}
      {isChanging && data && (
        <RetentionDialog
          projectId={projectId}
          days={data.retention_days}
          onClose={() => setChanging(false)}
          onSaved={readAgain}
        />
      )}
    </>
  )
}
