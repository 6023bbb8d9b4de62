import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { isKeyOf } from '../../lib/present.ts'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field, inputClass } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { classNames } from '../components/display/class-names.ts'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import { AssignedPeople } from './assigned-people.tsx'
import { createField, type FieldKind, type ReviewField, scaleStepsMax } from './fields.ts'
import css from './queue-form.module.css'
import { type ListedQueue, saveReview } from './queues.ts'

/** A question that is being written. */
interface Draft {
  /** Ref of a stored one, which is kept as it is. */
  readonly ref?: string
  readonly name: string
  readonly kind: FieldKind['kind']
  readonly options: string
  /** Ends of a scale, as they are typed. */
  readonly low: string
  readonly high: string
  readonly description: string
}

const kinds = ['boolean', 'choice', 'several', 'scale', 'number', 'text', 'correction', 'spans', 'preference'] as const
const scaleUsual = { low: '1', high: '5' } as const
const wholeNumber = /^-?\d{1,6}$/

const draftOf = ({ ref, name, description, of }: ReviewField): Draft => ({
  ref,
  name,
  description,
  kind: of.kind,
  options: 'options' in of ? of.options.join(', ') : '',
  ...(of.kind === 'scale' ? { low: String(of.low), high: String(of.high) } : scaleUsual),
})

const optionsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  ),
]

function kindOf({ kind, options, low, high }: Draft): FieldKind {
  switch (kind) {
    case 'choice':
    case 'several':
    case 'spans':
      return { kind, options: optionsOf(options) }
    case 'scale':
      return { kind, low: Number(low), high: Number(high) }
    default:
      return { kind }
  }
}

/** How many choices or labels a kind needs at least. */
const optionsMin = { choice: 2, several: 2, spans: 1 } as const
const leastOf = ({ kind }: Draft): number => (isKeyOf(optionsMin, kind) ? optionsMin[kind] : 0)
const isScale = ({ low, high }: Draft): boolean => {
  const steps = Number(high) - Number(low)
  return wholeNumber.test(low) && wholeNumber.test(high) && steps >= 1 && steps < scaleStepsMax
}
const isWhole = (draft: Draft): boolean =>
  draft.name.trim() !== '' &&
  optionsOf(draft.options).length >= leastOf(draft) &&
  (draft.kind !== 'scale' || isScale(draft))

interface SettingsDialogProps {
  readonly projectId: string
  readonly queue: ListedQueue
  readonly fields: readonly ReviewField[]
  readonly onClose: () => void
}

/** How a queue is reviewed: by how many people, with which guidelines, and what they fill in. */
export default function SettingsDialog({ projectId, queue, fields, onClose }: SettingsDialogProps) {
  const [reviewers, setReviewers] = useState(String(queue.review.reviewers_per_item))
  const [guidelines, setGuidelines] = useState(queue.review.guidelines)
  const [assignedTo, setAssignedTo] = useState(queue.review.assigned_to)
  const [drafts, setDrafts] = useState<readonly Draft[]>(fields.map(draftOf))
  const canSave = drafts.every(isWhole)
  const change = (index: number, changes: Partial<Draft>) =>
    setDrafts(drafts.map((draft, at) => (at === index ? { ...draft, ...changes } : draft)))
  const save = async (): Promise<void> => {
    const refs: string[] = []
    for (const draft of drafts) refs.push(draft.ref ?? (await createField(projectId, { ...draft, of: kindOf(draft) })))
    const settings = { reviewers: Number(reviewers), guidelines: guidelines.trim(), refs, assignedTo }
    await saveReview(projectId, queue.id, settings)
    onClose()
  }
  return (
    <FormDialog
      title={reviewText.formTitle}
      verb={reviewText.save}
      isReady={canSave}
      class={classNames(css.wide, css.closed)}
      formClass={classNames(css.form, css.long)}
      submit={save}
      onClose={onClose}
    >
      <Select
        label={reviewText.reviewersPerItem}
        value={reviewers}
        options={['1', '2', '3', '4', '5'].map((each) => ({ id: each, label: each }))}
        onChange={setReviewers}
      />
      <AssignedPeople projectId={projectId} queue={queue} chosen={assignedTo} onChange={setAssignedTo} />
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
          {draft.kind === 'scale' && (
            <div class={classNames(css.options, css.ends)}>
              {(['low', 'high'] as const).map((end) => (
                <Field
                  key={end}
                  label={reviewFormText.scaleEnds[end]}
                  value={draft[end]}
                  inputMode="numeric"
                  disabled={draft.ref !== undefined}
                  error={end === 'low' || isScale(draft) ? undefined : reviewFormText.badScale(scaleStepsMax)}
                  onInput={(event) => change(index, { [end]: event.currentTarget.value.trim() })}
                />
              ))}
            </div>
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
          onClick={() =>
            setDrafts([...drafts, { name: '', kind: 'boolean', options: '', ...scaleUsual, description: '' }])
          }
        >
          {reviewText.addQuestion}
        </Button>
      </div>
    </FormDialog>
  )
}
