import { useState } from 'preact/hooks'
import { Banner } from '../../components/states/banner.tsx'
import { usePayload } from '../../json/use-payload.ts'
import { callText } from '../../text/trace/call.ts'
import { kindOf, nameOf, type Skeleton } from '../../trace/skeleton.ts'
import { isSystem, MessageView, SystemLine } from '../messages/message-view.tsx'
import { type CallMessages, joinResults, type ShownMessage, type ShownPart } from '../messages/messages.ts'
import { ToolFold } from '../messages/tool-fold.tsx'
import { useCall } from '../use-call.ts'
import css from './chat-tab.module.css'

interface TracedToolProps {
  readonly projectId: string
  readonly part: Extract<ShownPart, { type: 'tool_call' }>
  readonly skeleton: Skeleton
  /** The call that executed the tool call; -1 if unknown. */
  readonly row: number
}

/** A tool call of the model, with the status of the traced call that executed it. */
function TracedTool({ projectId, part, skeleton, row }: TracedToolProps) {
  const hasFailed = row >= 0 && skeleton.statuses[skeleton.status(row)] === 'error'
  const [isAsked, ask] = useState(hasFailed)
  const duration = row < 0 ? Number.NaN : skeleton.duration(row)
  const shared = {
    name: part.name,
    args: part.arguments,
    hasFailed: hasFailed || (part.result?.is_error ?? false),
    durationMs: Number.isNaN(duration) ? undefined : duration,
    isOpenAtFirst: hasFailed,
    onOpen: () => ask(true),
  }
  if (row < 0 || !isAsked || part.result) return <ToolFold {...shared} result={part.result?.content} />
  return <WithResult key={skeleton.id(row)} projectId={projectId} callId={skeleton.id(row)} {...shared} />
}

function WithResult({ projectId, callId, ...shared }: ResultProps) {
  const output = usePayload(projectId, callId, 'output')
  const call = useCall(projectId, callId, false)
  const result = shared.hasFailed ? call.data?.exception : output.text
  return <ToolFold {...shared} isOpenAtFirst result={result ?? undefined} resultLabel={callText.resultFromNext} />
}

type ResultProps = Parameters<typeof ToolFold>[0] & { readonly projectId: string; readonly callId: string }

/** Messages before the answer that are shown at once. */
const recentMax = 3
/** The most that are shown after unfolding. */
const messagesMax = 400

interface ChatTabProps {
  readonly projectId: string
  readonly chat: CallMessages
  readonly skeleton: Skeleton | undefined
  readonly row: number
  readonly tokensOut: string | undefined
}

/** The messages of a call as a conversation. */
export function ChatTab({ projectId, chat, skeleton, row, tokensOut }: ChatTabProps) {
  const [areAllShown, showAll] = useState(false)
  const messages = joinResults(chat.messages)
  const system = messages.filter((message) => message.source === 'inputs' && isSystem(message))
  const asked = messages.filter((message) => message.source === 'inputs' && !isSystem(message))
  const answered = messages.filter(({ source }) => source === 'output')
  const hidden = areAllShown || asked.length <= recentMax + 1 ? 0 : asked.length - recentMax
  const tool = toolsOf(projectId, skeleton, row)
  return (
    <div class={css.chat}>
      {system.map((message, index) => (
        <SystemLine key={index} text={textOf(message)} />
      ))}
      {hidden > 0 && (
        <button type="button" class={css.earlier} onClick={() => showAll(true)}>
          <span>{callText.earlier(hidden)}</span>
        </button>
      )}
      {asked.slice(Math.max(hidden, asked.length - messagesMax)).map((message, index) => (
        <MessageView key={index} projectId={projectId} message={message} isOutput={false} />
      ))}
      {answered.map((message, index) => (
        <MessageView
          key={`out${index}`}
          projectId={projectId}
          message={message}
          isOutput
          tokens={index === 0 ? tokensOut : undefined}
          tool={tool}
        />
      ))}
      {chat.is_truncated && <Banner tone="info">{callText.truncated}</Banner>}
    </div>
  )
}

const textOf = ({ parts }: ShownMessage): string => parts.map((part) => ('text' in part ? part.text : '')).join('\n\n')

/** The tool calls of the model are looked up among the calls that followed it. */
function toolsOf(projectId: string, skeleton: Skeleton | undefined, row: number) {
  if (!skeleton || row < 0) return undefined
  const used = new Set<number>()
  return (part: Extract<ShownPart, { type: 'tool_call' }>) => {
    const traced = part.result ? -1 : followingCall(skeleton, row, part.name, used)
    used.add(traced)
    return <TracedTool projectId={projectId} part={part} skeleton={skeleton} row={traced} />
  }
}

function followingCall(skeleton: Skeleton, row: number, name: string, used: ReadonlySet<number>): number {
  const { end, parent, size } = skeleton
  for (let next = end(row); next < size && parent(next) === parent(row); next = end(next)) {
    if (!used.has(next) && isNamed(nameOf(skeleton, next), name)) return next
    // The next call of the model has the result already.
    if (kindOf(skeleton, next) === 'llm') return -1
  }
  return -1
}

/** Tracers put the name of a library in front of that of the tool: `tool.search`. */
const isNamed = (name: string, tool: string): boolean => name === tool || name.endsWith(`.${tool}`)
