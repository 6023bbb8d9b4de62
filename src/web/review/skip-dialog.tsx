import { useId, useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { reviewText } from '../text/review.ts'
import css from './queue-form.module.css'

interface SkipDialogProps {
  readonly onSkip: (reason: string) => void
  readonly onClose: () => void
}

/** Asks why an item cannot be judged. */
export default function SkipDialog({ onSkip, onClose }: SkipDialogProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <Dialog
      open
      onClose={onClose}
      title={reviewText.skipTitle}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {reviewText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={id}>
            {reviewText.skip}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          onSkip(reason.trim())
        }}
      >
        <div class={css.choices}>
          {reviewText.skipReasons.map((each) => (
            <Button key={each} onClick={() => onSkip(each)}>
              {each}
            </Button>
          ))}
        </div>
        <Field
          label={reviewText.otherReason}
          value={reason}
          autofocus
          maxLength={1_000}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
