import type { CallRecord } from '../record.ts'
import { stableUuid } from '../stable-id.ts'
import type { EventNode } from './event-tree.ts'
import { isoOf, membersOf, stated, textOf } from './members.ts'
import { type CallContent, modelCall } from './model-call.ts'

type Members = Readonly<Record<string, unknown>>

/** Where the calls of events belong. */
export interface EventPlace {
  readonly trialId: string
  readonly traceId: string
  readonly parentId: string
  /** Time of events that have none in the log, in microseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly origin: Members
}

/** The calls of events and of everything below them, parents first. */
export function* eventCalls(nodes: readonly EventNode[], place: EventPlace): Generator<CallRecord> {
  for (const node of nodes) {
    const id = stableUuid(place.trialId, node.key)
    const startedAt = node.startedAt ?? place.startedAt
    const endedAt = Math.max(startedAt, node.endedAt ?? latestEnd(node) ?? place.endedAt)
    const { attributes, usage, ...content } = contentOf(node)
    yield {
      kind: 'call',
      call: {
        id,
        trace_id: place.traceId,
        parent_id: place.parentId,
        op_name: `inspect.${node.type}`,
        started_at: isoOf(startedAt),
        ended_at: isoOf(endedAt),
        attributes: { ...attributes, ...notesOf(node), import: place.origin },
        summary: usage === undefined ? {} : { usage },
        ...content,
      },
    }
    yield* eventCalls(node.children, { ...place, parentId: id, startedAt, endedAt })
  }
}

/** When the last event below a node ended. */
export function latestEnd(node: EventNode): number | undefined {
  const times = node.children.flatMap((child) => child.endedAt ?? latestEnd(child) ?? child.startedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Events that are no calls, as attributes of the call that they happened in. */
export const notesOf = ({ notes }: Pick<EventNode, 'notes'>): Members =>
  notes.length === 0 ? {} : { events: notes.map((note) => stated({ ...note, ...notShown })) }

const notShown = { span_id: null, working_start: null, uuid: null }

function contentOf(node: EventNode): CallContent {
  const { event, name, type } = node
  const isEvent = event['event'] === type
  if (type === 'model') return modelCall(event)
  if (type === 'tool' && isEvent) return toolCall(event, name)
  if (type === 'sandbox') return sandboxCall(event)
  if (type === 'subtask') {
    return plain(name, 'function', { inputs: membersOf(event['input']), output: event['result'] ?? null })
  }
  return plain(name, kindsOfSpans[type] ?? 'function', {})
}

const kindsOfSpans: Readonly<Record<string, string>> = {
  agent: 'agent',
  handoff: 'agent',
  solver: 'chain',
  tool: 'tool',
}

const plain = (name: string, kind: string, more: Partial<CallContent>): CallContent => ({
  display_name: name,
  attributes: { kind },
  inputs: {},
  output: null,
  exception: null,
  ...more,
})

function toolCall(event: Members, name: string): CallContent {
  const { id, agent, truncated } = event
  const error = membersOf(event['error'])
  return plain(name, 'tool', {
    attributes: { kind: 'tool', tool_name: name, ...stated({ tool_call_id: id, agent, truncated }) },
    inputs: membersOf(event['arguments']),
    output: event['result'] ?? null,
    exception: textOf(error['message']) ?? textOf(error['type']) ?? null,
  })
}

function sandboxCall(event: Members): CallContent {
  const { action, cmd, file, input, options, result, output } = event
  return plain(String(action ?? 'sandbox'), 'function', {
    inputs: stated({ cmd, file, input, options }),
    output: stated({ result, output }),
  })
}
