import { ChevronRight, Sparkle, User } from 'lucide'
import { useState } from 'preact/hooks'
import { FoldText } from '../call/messages/fold-text.tsx'
import { MessageMedia } from '../call/messages/message-media.tsx'
import type { ShownMessage, ShownPart } from '../call/messages/messages.ts'
import { ToolFold } from '../call/messages/tool-fold.tsx'
import { Badge } from '../components/display/badge.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { callText } from '../text/trace/call.ts'
import { threadText } from '../text/trace/thread.ts'
import css from './turn-view.module.css'

/** Puts neighbours with the same name together. */
function toolRuns<Part extends { readonly name: string }>(parts: readonly Part[]): (readonly Part[])[] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last?.[0]?.name === part.name) last.push(part)
    else runs.push([part])
  }
  return runs
}

/** Texts of an answer longer than this are folded in a conversation. */
const foldFrom = 1_400

interface TurnMessageProps {
  readonly projectId: string
  readonly message: ShownMessage
  readonly areToolsOpen: boolean
}

/** A message of one side of a conversation, with its tool calls. */
export function TurnMessage({ projectId, message, areToolsOpen }: TurnMessageProps) {
  const isUser = message.role === 'user' || message.role === 'human'
  const tools = message.parts.filter((part) => part.type === 'tool_call')
  const others = message.parts.filter((part) => part.type !== 'tool_call')
  return (
    <>
      {others.length > 0 && (
        <div class={classNames(css.said, isUser && css.user)}>
          <span class={classNames(css.who, !isUser && css.model)}>
            <Icon of={isUser ? User : Sparkle} label={isUser ? callText.user : callText.assistant} />
          </span>
          <div class={css.words}>
            {others.map((part, index) => (
              <Words key={index} projectId={projectId} part={part} />
            ))}
          </div>
        </div>
      )}
      {tools.length > 0 && (
        <div class={css.tools}>
          {toolRuns(tools).map((run, index) => (
            <ToolRun key={index} run={run} areToolsOpen={areToolsOpen} />
          ))}
        </div>
      )}
    </>
  )
}

type ToolPart = Extract<ShownPart, { type: 'tool_call' }>

/** Three or more equal calls are one line until it is opened. */
function ToolRun({ run, areToolsOpen }: { run: readonly ToolPart[]; areToolsOpen: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const fold = (part: ToolPart, index: number) => (
    <ToolFold
      key={index}
      name={part.name}
      args={part.arguments}
      result={part.result?.content}
      hasFailed={part.result?.is_error ?? false}
      isOpenAtFirst={areToolsOpen}
    />
  )
  const [first] = run
  if (!first || run.length < 3 || isOpen || areToolsOpen) return <>{run.map(fold)}</>
  return (
    <button type="button" class={css.run} aria-expanded={false} onClick={() => setOpen(true)}>
      <Icon of={ChevronRight} size={14} />
      <span class={css.runName}>{first.name}</span>
      <Badge>{threadText.callsOf(run.length)}</Badge>
    </button>
  )
}

function Words({ projectId, part }: { projectId: string; part: Exclude<ShownPart, ToolPart> }) {
  switch (part.type) {
    case 'text':
      return <FoldText text={part.text} showAll={callText.showAll} showLess={callText.showLess} foldFrom={foldFrom} />
    case 'json':
      return <pre class={css.json}>{part.text.slice(0, 2_000)}</pre>
    case 'reasoning':
      return (
        <details class={css.reasoning}>
          <summary>{callText.reasoning}</summary>
          <FoldText text={part.text} showAll={callText.showAll} showLess={callText.showLess} foldFrom={foldFrom} />
        </details>
      )
    case 'tool_result':
      return <ToolFold name={part.name ?? callText.tool} args={part.content} hasFailed={part.is_error} />
    default:
      return <MessageMedia projectId={projectId} part={part} />
  }
}
