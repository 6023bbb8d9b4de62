import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { partsText } from '../../text/parts.ts'
import { projectsText } from '../../text/projects.ts'

const shape = /^[^/\s?#%]+\/[^/\s?#%]+$/

/** Asks for a name and opens the page that shows how to send traces there. */
export function NewProjectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const go = (event: Event): void => {
    event.preventDefault()
    if (!shape.test(name.trim())) {
      setWrong(true)
      return
    }
    onClose()
    navigate(viewPath(name.trim(), 'start'))
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={projectsText.create}
      foot={
        <>
          <Button onClick={onClose}>{partsText.cancel}</Button>
          <Button kind="primary" onClick={go}>
            {projectsText.createOpen}
          </Button>
        </>
      }
    >
      <p>{projectsText.createHint}</p>
      <form onSubmit={go}>
        <Field
          label={projectsText.createName}
          placeholder="acme/airline-agent"
          autofocus
          value={name}
          error={isWrong ? projectsText.createWrong : undefined}
          onInput={(event) => {
            setName(event.currentTarget.value)
            setWrong(false)
          }}
        />
      </form>
    </Dialog>
  )
}
