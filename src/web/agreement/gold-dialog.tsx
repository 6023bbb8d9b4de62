import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import type { ReviewField } from '../review/fields.ts'
import type { Item } from '../review/queues.ts'
import { showError, showToast } from '../state/toasts.ts'
import { agreementText as words } from '../text/agreement.ts'
import { AnyAnswer, otherAnswers } from './answer-choice.tsx'
import css from './gold-dialog.module.css'
import { type SentAnswer, saveGold } from './requests.ts'

interface GoldDialogProps {
  readonly projectId: string
  readonly queueId: string
  readonly item: Item
  readonly fields: readonly ReviewField[]
  /** What is known already; undefined for an ordinary item. */
  readonly known: readonly SentAnswer[] | undefined
  readonly onClose: () => void
}

/** Asks which answers to an item are right. */
export default function GoldDialog({ projectId, queueId, item, fields, known, onClose }: GoldDialogProps) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, unknown>>(
    new Map((known ?? []).map(({ annotation_ref, value }) => [annotation_ref, value])),
  )
  const given = [...answers].map(([annotation_ref, value]) => ({ annotation_ref, value }))
  const save = async (sent: readonly SentAnswer[]): Promise<void> => {
    await saveGold(projectId, { queueId, itemId: item.id }, sent)
    showToast({ kind: 'done', text: sent.length === 0 ? words.goldRemoved : words.goldSaved })
    onClose()
  }
  return (
    <FormDialog
      title={words.goldTitle(item.position_in_queue)}
      verb={words.goldSave}
      isReady={given.length > 0}
      class={css.dialog}
      formClass={css.form}
      submit={() => save(given)}
      before={known !== undefined && <Button onClick={() => void save([]).catch(showError)}>{words.goldRemove}</Button>}
      onClose={onClose}
    >
      <p class={css.hint}>{words.goldHint}</p>
      {fields.map((field) => {
        const options = otherAnswers(field, [])
        return (
          options !== null && (
            <fieldset key={field.ref} class={css.field}>
              <legend dir="auto">{field.name}</legend>
              <AnyAnswer
                field={field}
                options={options}
                value={answers.get(field.ref)}
                onChoose={(value) => setAnswers(new Map(answers).set(field.ref, value))}
              />
            </fieldset>
          )
        )
      })}
    </FormDialog>
  )
}
