import { MessageSquareText, SlidersHorizontal, Sparkle, User, Wrench } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isKeyOf } from '../../../lib/present.ts'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { formatCount } from '../../format/number.ts'
import { LazyJsonView } from '../../json/lazy-json-view.tsx'
import { callText } from '../../text/trace/call.ts'
import { FoldText } from './fold-text.tsx'
import { MessageMedia } from './message-media.tsx'
import css from './message-view.module.css'
import type { ShownMessage, ShownPart } from './messages.ts'
import { ToolFold } from './tool-fold.tsx'

const roles = {
  user: [User, callText.user],
  human: [User, callText.user],
  assistant: [Sparkle, callText.assistant],
  model: [Sparkle, callText.assistant],
  system: [SlidersHorizontal, callText.system],
  developer: [SlidersHorizontal, callText.system],
  tool: [Wrench, callText.tool],
} as const

const jsonHeight = 320

interface MessageProps {
  readonly projectId: string
  readonly message: ShownMessage
  /** Whether the message is the output of the call. */
  readonly isOutput: boolean
  readonly tokens?: string | undefined
  /** Draws a tool call; the default uses the messages only. */
  readonly tool?: ((part: Extract<ShownPart, { type: 'tool_call' }>) => ComponentChildren) | undefined
}

/** A message with its role, text, tool calls and media. */
export function MessageView({ projectId, message, isOutput, tokens, tool }: MessageProps) {
  const [icon, word] = roleOf(message.role)
  const tools = message.parts.filter((part) => part.type === 'tool_call')
  const others = message.parts.filter((part) => part.type !== 'tool_call')
  const isUser = icon === User
  return (
    <article class={classNames(css.message, isUser && css.user)}>
      <header class={css.role}>
        <span class={css.icon} data-role={isUser ? 'user' : word === callText.assistant ? 'assistant' : undefined}>
          <Icon of={icon} size={14} />
        </span>
        <span class={css.word}>{word}</span>
        {message.name !== null && <span class={css.name}>{message.name}</span>}
        {isOutput && <Badge tone="accent">{callText.thisCall}</Badge>}
        {tokens !== undefined && <span class={css.tokens}>{tokens}</span>}
      </header>
      {others.length > 0 && (
        <div class={css.parts}>
          {others.map((part, index) => (
            <Part key={index} projectId={projectId} part={part} />
          ))}
        </div>
      )}
      {tools.length > 0 && (
        <div class={css.tools}>
          {tools.map((part, index) => (
            <div key={index}>
              {tool?.(part) ?? (
                <ToolFold
                  name={part.name}
                  args={part.arguments}
                  result={part.result?.content}
                  hasFailed={part.result?.is_error ?? false}
                />
              )}
            </div>
          ))}
        </div>
      )}
    </article>
  )
}

function Part({ projectId, part }: { projectId: string; part: Exclude<ShownPart, { type: 'tool_call' }> }) {
  switch (part.type) {
    case 'text':
      return <FoldText text={part.text} showAll={callText.showAll} showLess={callText.showLess} />
    case 'reasoning':
      return (
        <details class={css.reasoning}>
          <summary>{callText.reasoning}</summary>
          <FoldText text={part.text} showAll={callText.showAll} showLess={callText.showLess} />
        </details>
      )
    case 'json':
      return (
        <div class={css.json}>
          <LazyJsonView text={part.text} name={callText.json} maxHeight={jsonHeight} isPlain />
        </div>
      )
    case 'tool_result':
      return <ToolFold name={part.name ?? callText.tool} args={part.content} hasFailed={part.is_error} />
    default:
      return <MessageMedia projectId={projectId} part={part} />
  }
}

/** A system message in one folded line. */
export function SystemLine({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class={css.system}>
      <button type="button" class={css.systemHead} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={SlidersHorizontal} size={14} />
        <span class={css.word}>{callText.system}</span>
        <span class={css.preview} dir="auto">
          {isOpen ? '' : text.slice(0, 300).replaceAll(/\s+/g, ' ')}
        </span>
        <span class={css.tokens}>{formatCount(text.length)}</span>
      </button>
      {isOpen && (
        <div class={css.systemText}>
          <FoldText text={text} showAll={callText.showAll} showLess={callText.showLess} />
        </div>
      )}
    </div>
  )
}

/** Whether a message instructs the model. */
export const isSystem = ({ role }: ShownMessage): boolean => role === 'system' || role === 'developer'

function roleOf(role: string): readonly [Parameters<typeof Icon>[0]['of'], string] {
  const known = role.toLowerCase()
  return isKeyOf(roles, known) ? roles[known] : [MessageSquareText, role || callText.unknownRole]
}
