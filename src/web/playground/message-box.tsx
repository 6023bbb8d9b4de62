import { ChevronDown, ChevronRight, Image, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { memberOf } from '../../lib/present.ts'
import { ToolFold } from '../call/messages/tool-fold.tsx'
import { IconButton } from '../components/controls/button.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { formatCount } from '../format/number.ts'
import { iconOfRole, tokensOf } from '../prompt/message-card.tsx'
import { MessageText } from '../prompt/message-text.tsx'
import { type PromptMessage, shortText, withParts } from '../prompt/prompt.ts'
import { playgroundText } from '../text/playground.ts'
import { promptText } from '../text/prompt.ts'
import css from './message-box.module.css'
import type { ChatMessage } from './run.ts'

interface MessageBoxProps {
  readonly message: PromptMessage
  /** From 1. */
  readonly at: number
  readonly letter: string
  readonly format: Parameters<typeof MessageText>[0]['format']
  readonly known: ReadonlySet<string>
  readonly isReadOnly: boolean
  readonly onChange: (message: PromptMessage) => void
  readonly onRemove: () => void
}

const foldedChars = 400

/** A message of the prompt, to be changed here; a long instruction is folded. */
export function MessageBox({ message, at, letter, format, known, isReadOnly, onChange, onRemove }: MessageBoxProps) {
  const { role, isParts, toolCalls } = message
  const shown = shortText(message)
  const canFold = role === 'system' || role === 'developer' || shown.length > foldedChars
  const [isOpen, setOpen] = useState(!canFold)
  return (
    <section
      class={classNames(css.message, role === 'user' && css.user)}
      aria-label={`${promptText.messageName(at, role)}, ${letter}`}
    >
      <header class={css.messageHead}>
        <button type="button" class={css.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
          <Icon of={iconOfRole(role)} size={14} />
          <strong>{promptText.roleName(role)}</strong>
          {!isOpen && (
            <span class={css.preview} dir="auto">
              {shown.slice(0, 200).replaceAll(/\s+/g, ' ')}
            </span>
          )}
        </button>
        <span class={css.tokens}>{playgroundText.tokensOf(formatCount(tokensOf(message)))}</span>
        {isOpen && !isReadOnly && (
          <>
            {role === 'user' && !isParts && (
              <IconButton
                of={Image}
                size="compact"
                label={promptText.asParts}
                onClick={() => onChange(withParts(message))}
              />
            )}
            <IconButton of={Trash2} size="compact" label={playgroundText.removeMessage(at)} onClick={onRemove} />
          </>
        )}
      </header>
      {isOpen && (
        <div class={css.messageText}>
          <MessageText
            message={message}
            label={`${promptText.textOf(at)}, ${letter}`}
            before={undefined}
            format={format}
            isReadOnly={isReadOnly}
            known={known}
            onChange={onChange}
          />
          {toolCalls.map((call) => (
            <ToolFold key={call.id} name={call.name} args={call.arguments} hasFailed={false} />
          ))}
        </div>
      )}
    </section>
  )
}

/** A message after those of the prompt: an answer, or the result of a tool. */
export function Further({ message }: { message: ChatMessage }) {
  const { role, content, tool_calls: calls } = message
  const text = typeof content === 'string' ? content : ''
  const called = Array.isArray(calls) ? calls.map((call: unknown) => memberOf(call, 'function')) : []
  return (
    <div class={css.further}>
      {text !== '' &&
        (role === 'tool' ? (
          <ToolFold name={promptText.roleName('tool')} args={text} hasFailed={false} />
        ) : (
          <p>{text}</p>
        ))}
      {called.map((tool, index) => (
        <ToolFold
          key={index}
          name={String(memberOf(tool, 'name') ?? '')}
          args={String(memberOf(tool, 'arguments') ?? '')}
          hasFailed={false}
        />
      ))}
    </div>
  )
}
