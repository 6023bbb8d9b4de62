import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { reviewText } from '../text/review.ts'
import css from './queue-form.module.css'

interface SkipDialogProps {
  readonly onSkip: (reason: string) => void
  readonly onClose: () => void
}

/** Asks why an item cannot be judged. */
export default function SkipDialog({ onSkip, onClose }: SkipDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={reviewText.skipTitle}
      verb={reviewText.skip}
      formClass={css.form}
      submit={() => onSkip(reason.trim())}
      onClose={onClose}
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
    </FormDialog>
  )
}
