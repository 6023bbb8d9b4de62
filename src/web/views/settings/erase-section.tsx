import { useState } from 'preact/hooks'
import { eraseProject, erasureQuery } from '../../api/retention.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { Section } from '../../components/display/section.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { formatDate } from '../../format/time.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { showError } from '../../state/undo.ts'
import { partsText } from '../../text/parts.ts'
import { retentionText } from '../../text/retention.ts'
import css from './settings.module.css'

const pollMs = 1_000

/** Erases the project, and shows how far that has come. */
export function EraseSection({ projectId }: { readonly projectId: string }) {
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
      // Nothing of what has been read exists any more.
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
