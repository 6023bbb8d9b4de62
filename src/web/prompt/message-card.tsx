import { ArrowDown, ArrowUp, Copy, GripVertical, Image, SlidersHorizontal, Sparkle, Trash2, User, Wrench } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { formatCount } from '../format/number.ts'
import { promptText } from '../text/prompt.ts'
import css from './message-card.module.css'
import { MessageText } from './message-text.tsx'
import { type Prompt, type PromptMessage, roles, type ToolCall, withParts } from './prompt.ts'

/** Icon of a role. */
export const iconOfRole = (role: string) =>
  ({ user: User, assistant: Sparkle, tool: Wrench })[role] ?? SlidersHorizontal

/** About so many tokens a tokenizer makes of the text of a message and of its tool calls. */
export const tokensOf = ({ text, toolCalls }: PromptMessage): number =>
  Math.ceil(toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length) / 4)

interface MessageCardProps {
  readonly message: PromptMessage
  /** From 0. */
  readonly index: number
  readonly prompt: Prompt
  /** The message that it was changed from. */
  readonly before: PromptMessage | undefined
  readonly isReadOnly: boolean
  readonly known: ReadonlySet<string>
  readonly hasFault: boolean
  readonly onChange: (message: PromptMessage) => void
  readonly onMove: (to: number) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

/**
 * A message of a prompt: role, text, tool calls. Alt and arrows move it; so does dragging its
 * grip.
 */
export function MessageCard(props: MessageCardProps) {
  const { message, index, prompt, before, isReadOnly, known, hasFault, onChange, onMove } = props
  const [isTarget, setTarget] = useState(false)
  const { role, text, toolCalls } = message
  const change = (changes: Partial<PromptMessage>) => onChange({ ...message, ...changes })
  const isChanged = before !== undefined && (before.text !== text || before.role !== role)
  return (
    <section
      class={classNames(css.card, hasFault && css.fault, isTarget && css.target)}
      aria-label={promptText.messageName(index + 1, role)}
      data-message={index}
      onKeyDown={(event) => {
        if (isReadOnly || !event.altKey || event.ctrlKey || event.metaKey) return
        const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key]
        if (to === undefined) return
        event.preventDefault()
        onMove(to)
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(dragType)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false)
        const from = Number(event.dataTransfer?.getData(dragType) || Number.NaN)
        if (!Number.isNaN(from)) moveDragged(from, index)
      }}
    >
      <header class={css.head}>
        {!isReadOnly && !prompt.isText && (
          <span
            class={css.grip}
            draggable
            onDragStart={(event) => {
              event.dataTransfer?.setData(dragType, String(index))
              moveDragged = (from, to) => from === index && onMove(to)
            }}
          >
            <Icon of={GripVertical} size={14} />
          </span>
        )}
        <span class={css[role] ?? css.other}>
          <Icon of={iconOfRole(role)} size={14} />
        </span>
        <Role
          {...{ role, index, isReadOnly: isReadOnly || prompt.isText }}
          onChange={(next) => change({ role: next })}
        />
        {toolCalls.length > 0 && <span class={css.note}>{promptText.toolCall}</span>}
        {message.isParts && <span class={css.note}>{promptText.parts}</span>}
        {isChanged && <Badge tone="warn">{promptText.changed}</Badge>}
        <span class={css.tokens}>{promptText.tokens(formatCount(tokensOf(message)))}</span>
        {!isReadOnly && !prompt.isText && <CardMenu {...props} change={change} />}
      </header>
      {(text !== '' || toolCalls.length === 0) && (
        <MessageText
          message={message}
          label={promptText.textOf(index + 1)}
          before={before?.text}
          format={prompt.format}
          isReadOnly={isReadOnly}
          known={known}
          onChange={onChange}
        />
      )}
      {toolCalls.map((call, at) => (
        <Call
          key={at}
          call={call}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ toolCalls: toolCalls.with(at, next) })}
          onRemove={() => change({ toolCalls: toolCalls.toSpliced(at, 1) })}
        />
      ))}
      {role === 'tool' && (
        <label class={css.answers}>
          {promptText.answers}
          <input
            class={css.field}
            value={message.toolCallId}
            readOnly={isReadOnly}
            list="tool-calls"
            onInput={(event) => change({ toolCallId: event.currentTarget.value })}
          />
        </label>
      )}
    </section>
  )
}

const dragType = 'application/x-tracelake-message'
/** Moves the message that is being dragged. */
let moveDragged: (from: number, to: number) => void = () => {}

interface RoleProps {
  readonly role: string
  readonly index: number
  readonly isReadOnly: boolean
  readonly onChange: (role: string) => void
}

const Role = ({ role, index, isReadOnly, onChange }: RoleProps) =>
  isReadOnly ? (
    <span class={css.role}>{promptText.roleName(role)}</span>
  ) : (
    <select
      class={css.select}
      aria-label={promptText.roleOf(index + 1)}
      value={role}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {[...new Set([...roles, role])].map((each) => (
        <option key={each} value={each}>
          {promptText.roleName(each)}
        </option>
      ))}
    </select>
  )

interface CardMenuProps extends MessageCardProps {
  readonly change: (changes: Partial<PromptMessage>) => void
}

function CardMenu({ message, index, prompt, onMove, onDuplicate, onRemove, change }: CardMenuProps) {
  const { role, isParts, toolCalls } = message
  const id = `call_${toolCalls.length + 1}`
  return (
    <MenuButton
      label={promptText.messageMenu(index + 1)}
      side="end"
      size="compact"
      kind="quiet"
      items={[
        { icon: ArrowUp, label: promptText.moveUp, hint: 'alt ↑', disabled: index === 0, run: () => onMove(index - 1) },
        {
          icon: ArrowDown,
          label: promptText.moveDown,
          hint: 'alt ↓',
          disabled: index === prompt.messages.length - 1,
          run: () => onMove(index + 1),
        },
        { icon: Copy, label: promptText.duplicate, run: onDuplicate },
        ...(role === 'assistant'
          ? [
              {
                icon: Wrench,
                label: promptText.addToolCall,
                run: () => change({ toolCalls: [...toolCalls, { id, name: '', arguments: '{}' }] }),
              },
            ]
          : []),
        ...(isParts
          ? []
          : [
              {
                icon: Image,
                label: promptText.asParts,
                run: () => change(withParts(message)),
              },
            ]),
        { icon: Trash2, label: promptText.remove, danger: true, separator: true, run: onRemove },
      ]}
    />
  )
}

interface CallProps {
  readonly call: ToolCall
  readonly isReadOnly: boolean
  readonly onChange: (call: ToolCall) => void
  readonly onRemove: () => void
}

function Call({ call, isReadOnly, onChange, onRemove }: CallProps) {
  const field = (name: 'name' | 'id', label: string) => (
    <label class={css.labelled}>
      {label}
      <input
        class={css.field}
        value={call[name]}
        readOnly={isReadOnly}
        onInput={(event) => onChange({ ...call, [name]: event.currentTarget.value })}
      />
    </label>
  )
  const box = useRef<HTMLDetailsElement>(null)
  return (
    <details class={css.call} open={call.name === ''} ref={box}>
      <summary class={css.summary}>
        <span class={css.tool}>
          <Icon of={Wrench} size={14} />
        </span>
        <code>{call.name || promptText.toolCall}</code>
        <span class={css.arguments}>{call.arguments}</span>
      </summary>
      <div class={css.fields}>
        {field('name', promptText.toolCallName)}
        {field('id', promptText.toolCallId)}
        <label class={css.labelled}>
          {promptText.toolCallArguments}
          <textarea
            class={css.field}
            rows={3}
            value={call.arguments}
            readOnly={isReadOnly}
            spellcheck={false}
            onInput={(event) => onChange({ ...call, arguments: event.currentTarget.value })}
          />
        </label>
        {!isReadOnly && <IconButton of={Trash2} label={promptText.removeToolCall} size="compact" onClick={onRemove} />}
      </div>
    </details>
  )
}
