import { ChevronDown, ChevronRight, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { newMessage, type Prompt, type PromptMessage } from '../prompt/prompt.ts'
import { playgroundText } from '../text/playground.ts'
import { promptText } from '../text/prompt.ts'
import css from './message-box.module.css'
import { MessageBox } from './message-box.tsx'

interface MessageListProps {
  readonly prompt: Prompt
  readonly letter: string
  readonly known: ReadonlySet<string>
  readonly isReadOnly: boolean
  readonly onChange: (messages: readonly PromptMessage[]) => void
}

/** Messages at the end of a long conversation that are shown at first. */
const lastShown = 4
/** Fewer messages than these are not worth a fold. */
const foldedMin = 4

/** The messages of a column; in a long conversation the earlier ones are folded. */
export function MessageList({ prompt, letter, known, isReadOnly, onChange }: MessageListProps) {
  const { messages, format, isText } = prompt
  const [isOpen, setOpen] = useState(false)
  // Instructions at the beginning stay: they are what people change.
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const last = messages.length - lastShown
  const folded = last - first >= foldedMin && first >= 0 ? last - first : 0
  const box = (message: PromptMessage, index: number) => (
    <MessageBox
      key={message.key}
      {...{ message, letter, format, known, isReadOnly }}
      at={index + 1}
      onChange={(next) => onChange(messages.with(index, next))}
      onRemove={() => onChange(messages.toSpliced(index, 1))}
    />
  )
  const boxes = messages.map((message, index) =>
    folded > 0 && !isOpen && index >= first && index < last ? null : box(message, index),
  )
  return (
    <>
      {folded > 0 ? (
        <>
          {boxes.slice(0, first)}
          <Button
            kind="quiet"
            size="compact"
            class={css.earlier}
            icon={isOpen ? ChevronDown : ChevronRight}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {playgroundText.earlier(folded)}
          </Button>
          {boxes.slice(first)}
        </>
      ) : (
        boxes
      )}
      {!isText && !isReadOnly && (
        <Button
          kind="quiet"
          size="compact"
          icon={Plus}
          class={css.add}
          onClick={() => onChange([...messages, newMessage('user')])}
        >
          {promptText.addMessage}
        </Button>
      )}
    </>
  )
}
