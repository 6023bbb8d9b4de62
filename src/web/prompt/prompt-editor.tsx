import { Braces, ChevronDown, ChevronRight, Plus, SlidersHorizontal, Wrench } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { formatCount } from '../format/number.ts'
import { useIsPhone } from '../state/use-media.ts'
import { promptText } from '../text/prompt.ts'
import type { PromptFault } from './faults.ts'
import { MessageCard, tokensOf } from './message-card.tsx'
import { newMessage, type Prompt, settingNames, withMessage } from './prompt.ts'
import css from './prompt-editor.module.css'
import { VariableNames } from './use-completion.tsx'
import { type UsedVariable, variablesOf } from './variables.ts'

interface PromptEditorProps {
  readonly prompt: Prompt
  /** The prompt that it was changed from. */
  readonly before: Prompt | undefined
  readonly faults: readonly PromptFault[]
  readonly isReadOnly: boolean
  readonly models: readonly string[]
  readonly onChange: (prompt: Prompt) => void
}

/** Everything that a prompt says: settings, messages, tools, schema and variables. */
export function PromptEditor({ prompt, before, faults, isReadOnly, models, onChange }: PromptEditorProps) {
  const { messages } = prompt
  const variables = variablesOf(prompt)
  const known = new Set(variables.flatMap(({ name, example }) => (example === '' ? [] : [name])))
  const names = [...variables.map(({ name }) => name), ...Object.keys(prompt.variables)]
  const change = (changes: Partial<Prompt>) => onChange({ ...prompt, ...changes })
  const move = (from: number, to: number) => {
    const message = messages[from]
    if (message === undefined || to < 0 || to >= messages.length || to === from) return
    change({ messages: messages.toSpliced(from, 1).toSpliced(to, 0, message) })
  }
  const tokens = messages.reduce((sum, message) => sum + tokensOf(message), 0)
  return (
    <div class={css.editor}>
      <Settings {...{ prompt, isReadOnly, models, change }} />
      <div class={css.body} data-scroll>
        <div class={css.title}>
          <h2>{promptText.messages}</h2>
          <span class={css.hint}>{promptText.messagesCount(messages.length, formatCount(tokens))}</span>
          {!isReadOnly && !prompt.isText && (
            <Button kind="quiet" size="compact" icon={Plus} hint="alt M" onClick={() => onChange(withMessage(prompt))}>
              {promptText.addMessage}
            </Button>
          )}
        </div>
        <VariableNames.Provider value={names}>
          {messages.map((message, index) => (
            <MessageCard
              key={message.key}
              message={message}
              index={index}
              prompt={prompt}
              before={before?.messages.find(({ key }) => key === message.key) ?? before?.messages[index]}
              isReadOnly={isReadOnly}
              known={known}
              hasFault={faults.some(({ part, level }) => part === index && level === 'fault')}
              onChange={(next) => change({ messages: messages.with(index, next) })}
              onMove={(to) => move(index, to)}
              onDuplicate={() =>
                change({ messages: messages.toSpliced(index + 1, 0, { ...message, key: newMessage('').key }) })
              }
              onRemove={() => change({ messages: messages.toSpliced(index, 1) })}
            />
          ))}
        </VariableNames.Provider>
        <datalist id="tool-calls">
          {messages
            .flatMap(({ toolCalls }) => toolCalls)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </datalist>
        {!prompt.isText && (
          <div class={css.folds}>
            <Fold part="tools" {...{ prompt, faults, isReadOnly, change }} />
            <Fold part="schema" {...{ prompt, faults, isReadOnly, change }} />
          </div>
        )}
        <div class={css.title} data-part="variables">
          <h2>{promptText.variables}</h2>
          <span class={css.hint}>{promptText.variablesCount(variables.length)}</span>
        </div>
        {variables.length === 0 ? (
          <p class={css.hint}>{promptText.noVariables(prompt.format)}</p>
        ) : (
          <Variables {...{ variables, isReadOnly, prompt, change }} />
        )}
      </div>
    </div>
  )
}

interface PartProps {
  readonly prompt: Prompt
  readonly isReadOnly: boolean
  readonly change: (changes: Partial<Prompt>) => void
}

/** How many of the settings are always shown: one line of them. */
const mostUsed = { phone: 3, other: 4 } as const

function Settings({ prompt, isReadOnly, models, change }: PartProps & { readonly models: readonly string[] }) {
  const { model, settings } = prompt
  const [isOpen, setOpen] = useState(false)
  const shown = useIsPhone() ? mostUsed.phone : mostUsed.other
  const others = settingNames.slice(shown)
  const unknown = Object.keys(settings).filter((name) => !settingNames.some((each) => each === name))
  const names = [
    ...settingNames.slice(0, shown),
    ...[...others, ...unknown].filter((name) => isOpen || (settings[name] ?? '') !== ''),
  ]
  const set = (name: string, value: string) => change({ settings: { ...settings, [name]: value } })
  return (
    <div class={css.settings} data-part="model">
      <label class={css.model}>
        <span class="sr-only">{promptText.model}</span>
        <input
          value={model}
          placeholder={promptText.modelHint}
          list="models"
          readOnly={isReadOnly}
          spellcheck={false}
          onInput={(event) => change({ model: event.currentTarget.value.trim() })}
        />
        <datalist id="models">
          {models.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
      {names.map((name) => (
        <label key={name} class={css.setting}>
          {promptText.settings[name] ?? name}
          <input
            value={settings[name] ?? ''}
            placeholder={promptText.unset}
            readOnly={isReadOnly}
            style={{ width: `${Math.min(16, Math.max(4, (settings[name] ?? '').length)) + 2.5}ch` }}
            onInput={(event) => set(name, event.currentTarget.value)}
          />
        </label>
      ))}
      <Button
        kind="quiet"
        size="compact"
        icon={SlidersHorizontal}
        aria-expanded={isOpen}
        class={css.moreSettings}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? promptText.fewer : promptText.more(others.length)}
      </Button>
    </div>
  )
}

interface FoldProps extends PartProps {
  readonly part: 'tools' | 'schema'
  readonly faults: readonly PromptFault[]
}

/** Tools or the schema of the answer as JSON text, folded. */
function Fold({ part, prompt, faults, isReadOnly, change }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  const text = prompt[part]
  const fault = faults.find((each) => each.part === part)
  const names = [...text.matchAll(/"name"\s*:\s*"([^"]*)"/g)].map(([, name]) => name)
  const summary =
    text.trim() === ''
      ? part === 'tools'
        ? promptText.noTools
        : promptText.noSchema
      : part === 'tools'
        ? `${names.length}  ${names.join(', ')}`
        : text.replaceAll(/\s+/g, ' ')
  return (
    <div class={classNames(css.fold, isOpen && css.open, fault && css.fault)} data-part={part}>
      <button type="button" class={css.summary} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        <span class={part === 'tools' ? css.tools : undefined}>
          <Icon of={part === 'tools' ? Wrench : Braces} size={14} />
        </span>
        <strong>{promptText[part]}</strong>
        <span class={css.summaryText}>{summary}</span>
      </button>
      {isOpen && (
        <textarea
          class={css.code}
          aria-label={part === 'tools' ? promptText.toolsLabel : promptText.schemaLabel}
          aria-invalid={fault !== undefined}
          value={text}
          readOnly={isReadOnly}
          spellcheck={false}
          rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
          onInput={(event) => change({ [part]: event.currentTarget.value })}
        />
      )}
      {fault && <p class={css.faultText}>{fault.text}</p>}
    </div>
  )
}

interface VariablesProps extends PartProps {
  readonly variables: readonly UsedVariable[]
}

/** The variables, those without a value first. */
function Variables({ variables, isReadOnly, prompt, change }: VariablesProps) {
  const [shown] = useState(() => new Map(variables.map(({ name, example }) => [name, example === ''])))
  const rank = (name: string, example: string): number => ((shown.get(name) ?? example === '') ? 0 : 1)
  const sorted = [...variables].sort((a, b) => rank(a.name, a.example) - rank(b.name, b.example))
  const set = (name: string, facts: Partial<UsedVariable>) => {
    const { type = '', example = '' } = { ...prompt.variables[name], ...facts }
    change({ variables: { ...prompt.variables, [name]: { type, example } } })
  }
  return (
    <div class={css.box}>
      <table class={css.variables} aria-label={promptText.variables}>
        <thead>
          <tr>
            <th scope="col">{promptText.name}</th>
            <th scope="col">{promptText.type}</th>
            <th scope="col">{promptText.example}</th>
            <th scope="col">{promptText.usedIn}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ name, type, example, usedIn }) => (
            <tr key={name} class={example === '' ? css.empty : undefined}>
              <td>
                <code class={css.variable}>{name}</code>
              </td>
              <td>
                {isReadOnly ? (
                  type
                ) : (
                  <select
                    aria-label={promptText.typeOf(name)}
                    value={type}
                    onChange={(event) => set(name, { type: event.currentTarget.value })}
                  >
                    {[...new Set([...promptText.types, type])].map((each) => (
                      <option key={each}>{each}</option>
                    ))}
                  </select>
                )}
              </td>
              <td>
                <input
                  aria-label={promptText.exampleOf(name)}
                  value={example}
                  dir="auto"
                  placeholder={promptText.noValue}
                  readOnly={isReadOnly}
                  onInput={(event) => set(name, { example: event.currentTarget.value })}
                />
              </td>
              <td class={css.usedIn}>{usedIn.map(promptText.roleName).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
