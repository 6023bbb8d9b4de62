import { useState } from 'preact/hooks'
import { createPrice, type Price } from '../../../api/settings.ts'
import { Field } from '../../../components/controls/field.tsx'
import { timeOfLocal } from '../../../format/local-time.ts'
import { timeZone, zoneName } from '../../../format/time.ts'
import { pricesText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { dollars } from './price-words.ts'

const parts = ['input', 'cacheRead', 'cacheWrite', 'output'] as const

/** Asks for a price in dollars per million tokens, as providers print them, and its start. */
export function PriceDialog({ projectId, before, onClose, onMade }: PriceDialogProps) {
  const [model, setModel] = useState(before?.llm_id ?? '')
  const [typed, setTyped] = useState(() => ({
    input: dollars(before?.prompt_token_cost) ?? '',
    cacheRead: dollars(before?.cache_read_input_token_cost) ?? '0',
    cacheWrite: dollars(before?.cache_creation_input_token_cost) ?? '0',
    output: dollars(before?.completion_token_cost) ?? '',
  }))
  const [from, setFrom] = useState('')
  const start = from.trim() === '' ? null : timeOfLocal(from.trim(), timeZone.value)
  const isReady = model.trim() !== '' && start !== undefined && parts.every((part) => isPrice(typed[part]))
  const save = async (): Promise<void> => {
    await createPrice(projectId, model.trim(), {
      prompt_token_cost: perToken(typed.input),
      completion_token_cost: perToken(typed.output),
      cache_read_input_token_cost: perToken(typed.cacheRead),
      cache_creation_input_token_cost: perToken(typed.cacheWrite),
      ...(start != null && { effective_date: new Date(start).toISOString() }),
    })
    onMade()
  }
  return (
    <SettingsForm
      title={before ? titleOf(before)(before.llm_id) : pricesText.add}
      verb={pricesText.save}
      isReady={isReady}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {before ? (
            <p>{problem ?? (isBuiltin(before) ? pricesText.replaceText : pricesText.changeText)}</p>
          ) : (
            <Field
              label={pricesText.model}
              hint={pricesText.modelHint}
              autofocus
              value={model}
              error={problem}
              onInput={(event) => setModel(event.currentTarget.value)}
            />
          )}
          <div class={css.pair}>
            {parts.map((part, index) => (
              <Field
                key={part}
                label={`${pricesText[part]}, $`}
                autofocus={before !== undefined && index === 0}
                inputMode="decimal"
                value={typed[part]}
                error={typed[part] === '' || isPrice(typed[part]) ? undefined : pricesText.wrong}
                onInput={(event) => setTyped({ ...typed, [part]: event.currentTarget.value })}
              />
            ))}
          </div>
          <Field
            label={pricesText.from}
            hint={pricesText.fromHint(zoneName())}
            placeholder="2026-12-01"
            value={from}
            error={start === undefined ? pricesText.wrongTime : undefined}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </>
      )}
    </SettingsForm>
  )
}

/** Built-in prices have no id. */
const isBuiltin = ({ id }: Price): boolean => id === ''

const titleOf = (before: Price) => (isBuiltin(before) ? pricesText.replaceTitle : pricesText.changeTitle)

const isPrice = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text))

const perToken = (perMillion: string): number => Number((Number(perMillion) / 1_000_000).toPrecision(12))

interface PriceDialogProps {
  readonly projectId: string
  /** The price that is followed by a new one; undefined for another model. */
  readonly before?: Price | undefined
  readonly onClose: () => void
  readonly onMade: () => unknown
}
