import { useState } from 'preact/hooks'
import { createPrice } from '../../api/prices.ts'
import { Field } from '../../components/controls/field.tsx'
import { pricesText } from '../../text/prices.ts'
import { FormDialog } from './form-dialog.tsx'
import css from './settings.module.css'

const parts = ['input', 'cacheRead', 'cacheWrite', 'output'] as const

/** Asks for a price in dollars per million tokens, as providers print them. */
export function NewPriceDialog({ projectId, onClose, onMade }: NewPriceDialogProps) {
  const [model, setModel] = useState('')
  const [typed, setTyped] = useState({ input: '', cacheRead: '0', cacheWrite: '0', output: '' })
  const isReady = model.trim() !== '' && parts.every((part) => isPrice(typed[part]))
  const save = async (): Promise<void> => {
    await createPrice(projectId, model.trim(), {
      prompt_token_cost: perToken(typed.input),
      completion_token_cost: perToken(typed.output),
      cache_read_input_token_cost: perToken(typed.cacheRead),
      cache_creation_input_token_cost: perToken(typed.cacheWrite),
    })
    onMade()
  }
  return (
    <FormDialog title={pricesText.add} action={pricesText.save} isReady={isReady} save={save} onClose={onClose}>
      {(problem) => (
        <>
          <Field
            label={pricesText.model}
            hint={pricesText.modelHint}
            autofocus
            value={model}
            error={problem}
            onInput={(event) => setModel(event.currentTarget.value)}
          />
          <div class={css.pair}>
            {parts.map((part) => (
              <Field
                key={part}
                label={`${pricesText[part]}, $`}
                value={typed[part]}
                error={typed[part] === '' || isPrice(typed[part]) ? undefined : pricesText.wrong}
                onInput={(event) => setTyped({ ...typed, [part]: event.currentTarget.value })}
              />
            ))}
          </div>
        </>
      )}
    </FormDialog>
  )
}

const isPrice = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text))

const perToken = (perMillion: string): number => Number((Number(perMillion) / 1_000_000).toPrecision(12))

interface NewPriceDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  readonly onMade: () => unknown
}
