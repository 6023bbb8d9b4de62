import { useState } from 'preact/hooks'
import { usePayload } from '../json/use-payload.ts'
import { callText } from '../text/call.ts'
import type { Skeleton } from '../trace/skeleton.ts'
import type { ShownPart } from './messages/messages.ts'
import { ToolFold } from './messages/tool-fold.tsx'
import { useCall } from './use-call.ts'

interface TracedToolProps {
  readonly projectId: string
  readonly part: Extract<ShownPart, { type: 'tool_call' }>
  readonly skeleton: Skeleton
  /** Call that did what was asked for; -1 if it is not known. */
  readonly row: number
}

/** A tool that the call asked for, with how the traced call of it went. */
export function TracedTool({ projectId, part, skeleton, row }: TracedToolProps) {
  const hasFailed = row >= 0 && skeleton.statuses[skeleton.status[row]!] === 'error'
  const [isAsked, ask] = useState(hasFailed)
  const duration = row < 0 ? Number.NaN : skeleton.duration[row]!
  const shared = {
    name: part.name,
    args: part.arguments,
    hasFailed: hasFailed || (part.result?.is_error ?? false),
    durationMs: Number.isNaN(duration) ? undefined : duration,
    isOpenAtFirst: hasFailed,
    onOpen: () => ask(true),
  }
  if (row < 0 || !isAsked || part.result) return <ToolFold {...shared} result={part.result?.content} />
  return <WithResult key={skeleton.ids[row]} projectId={projectId} callId={skeleton.ids[row]!} {...shared} />
}

function WithResult({ projectId, callId, ...shared }: ResultProps) {
  const output = usePayload(projectId, callId, 'output')
  const call = useCall(projectId, callId, false)
  const result = shared.hasFailed ? call.data?.exception : output.text
  return <ToolFold {...shared} isOpenAtFirst result={result ?? undefined} resultLabel={callText.resultFromNext} />
}

type ResultProps = Parameters<typeof ToolFold>[0] & { readonly projectId: string; readonly callId: string }
