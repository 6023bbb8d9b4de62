import { Plus, X } from 'lucide'
import { useId, useState } from 'preact/hooks'
import { isKeyOf } from '../../lib/present.ts'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field, inputClass } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { showError } from '../state/toasts.ts'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import { createField, type FieldKind, type ReviewField } from './fields.ts'
import css from './queue-form.module.css'
import { type ListedQueue, saveReview } from './queues.ts'

/** A question that is being written. */
interface Draft {
  /** Ref of a stored one, which is kept as it is. */
  readonly ref?: string
  readonly name: string
  readonly kind: FieldKind['kind']
  readonly options: string
  readonly description: string
}

const kinds = ['boolean', 'choice', 'several', 'scale', 'number', 'text', 'correction', 'spans', 'preference'] as const
const scaleUsual = { kind: 'scale', low: 1, high: 5 } as const

const draftOf = ({ ref, name, description, of }: ReviewField): Draft => ({
  ref,
  name,
  description,
  kind: of.kind,
  options: 'options' in of ? of.options.join(', ') : '',
})

const optionsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  ),
]

function kindOf({ kind, options }: Draft): FieldKind {
  switch (kind) {
    case 'choice':
    case 'several':
    case 'spans':
      return { kind, options: optionsOf(options) }
    case 'scale':
      return scaleUsual
    default:
      return { kind }
  }
}

/** How many choices or labels a kind needs at least. */
const optionsMin = { choice: 2, several: 2, spans: 1 } as const
const leastOf = ({ kind }: Draft): number => (isKeyOf(optionsMin, kind) ? optionsMin[kind] : 0)
const isWhole = (draft: Draft): boolean => draft.name.trim() !== '' && optionsOf(draft.options).length >= leastOf(draft)

interface SettingsDialogProps {
  readonly projectId: string
  readonly queue: ListedQueue
  readonly fields: readonly ReviewField[]
  readonly onClose: () => void
}

/** How a queue is reviewed: by how many people, with which guidelines, and what they fill in. */
export default function SettingsDialog({ projectId, queue, fields, onClose }: SettingsDialogProps) {
  const id = useId()
  const [reviewers, setReviewers] = useState(String(queue.review.reviewers_per_item))
  const [guidelines, setGuidelines] = useState(queue.review.guidelines)
  const [drafts, setDrafts] = useState<readonly Draft[]>(fields.map(draftOf))
  const [busy, setBusy] = useState(false)
  const canSave = drafts.every(isWhole)
  const change = (index: number, changes: Partial<Draft>) =>
    setDrafts(drafts.map((draft, at) => (at === index ? { ...draft, ...changes } : draft)))
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!canSave || busy) return
    setBusy(true)
    try {
      const refs: string[] = []
      for (const draft of drafts)
        refs.push(draft.ref ?? (await createField(projectId, { ...draft, of: kindOf(draft) })))
      await saveReview(projectId, queue.id, { reviewers: Number(reviewers), guidelines: guidelines.trim(), refs })
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
      title={reviewText.formTitle}
      class={classNames(css.wide, css.closed)}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {reviewText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={!canSave}>
            {reviewText.save}
          </Button>
        </>
      }
    >
      <form id={id} class={classNames(css.form, css.long)} onSubmit={(event) => void save(event)}>
        <Select
          label={reviewText.reviewersPerItem}
          value={reviewers}
          options={['1', '2', '3', '4', '5'].map((each) => ({ id: each, label: each }))}
          onChange={setReviewers}
        />
        <label class={css.label}>
          {reviewText.guidelines}
          <textarea
            class={classNames(inputClass, css.text)}
            rows={3}
            maxLength={65_536}
            value={guidelines}
            onInput={(event) => setGuidelines(event.currentTarget.value)}
          />
          <span class={css.hint}>{reviewText.guidelinesHint}</span>
        </label>
        {drafts.map((draft, index) => (
          <fieldset key={draft.ref ?? index} class={css.question} aria-label={reviewText.question(index + 1)}>
            <Field
              label={reviewText.question(index + 1)}
              value={draft.name}
              disabled={draft.ref !== undefined}
              onInput={(event) => change(index, { name: event.currentTarget.value })}
            />
            {draft.ref === undefined ? (
              <Select
                label={reviewText.answerKind}
                value={draft.kind}
                options={kinds.map((kind) => ({ id: kind, label: reviewText.fieldKinds[kind] }))}
                onChange={(kind) => change(index, { kind })}
              />
            ) : (
              <Field label={reviewText.answerKind} value={reviewText.fieldKinds[draft.kind]} disabled />
            )}
            <IconButton
              of={X}
              label={reviewText.removeQuestion(index + 1)}
              onClick={() => setDrafts(drafts.filter((_, at) => at !== index))}
            />
            {draft.kind === 'preference' && (
              <p class={classNames(css.options, css.hint)}>{reviewFormText.preferenceHint}</p>
            )}
            {leastOf(draft) > 0 && (
              <Field
                class={css.options}
                label={draft.kind === 'spans' ? reviewFormText.labels : reviewText.options}
                hint={draft.kind === 'spans' ? reviewFormText.labelsHint : reviewText.optionsHint}
                value={draft.options}
                disabled={draft.ref !== undefined}
                onInput={(event) => change(index, { options: event.currentTarget.value })}
              />
            )}
            {(draft.ref === undefined || draft.description !== '') && (
              <Field
                class={css.options}
                label={reviewFormText.description}
                value={draft.description}
                disabled={draft.ref !== undefined}
                onInput={(event) => change(index, { description: event.currentTarget.value })}
              />
            )}
          </fieldset>
        ))}
        <div>
          <Button
            icon={Plus}
            onClick={() => setDrafts([...drafts, { name: '', kind: 'boolean', options: '', description: '' }])}
          >
            {reviewText.addQuestion}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
