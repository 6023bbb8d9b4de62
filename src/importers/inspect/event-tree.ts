import { membersOf, microsOf, numberOf, objectsIn, textOf } from './members.ts'

type Members = Readonly<Record<string, unknown>>

/** An event, or a span of events, that becomes a call. */
export interface EventNode {
  /** Unique within the sample and equal in each run of an import. */
  readonly key: string
  /** Type of the event, or of the span: `model`, `tool`, `solver`, `agent`. */
  type: string
  readonly name: string
  event: Members
  /** Microseconds since 1970; undefined if the log has none. */
  startedAt: number | undefined
  endedAt: number | undefined
  readonly children: EventNode[]
  /** Events that are no calls: they become attributes. */
  readonly notes: Members[]
}

/** The spans that only group others. */
const transparent = new Set(['init', 'solvers', 'scorers'])

/** Events that repeat what other members of the sample or other events say, or changes of state. */
const leftOut = new Set(['sample_init', 'state', 'store', 'score', 'span_end', 'anchor', 'branch', 'checkpoint'])

/** Builds the tree of a sample's events. */
export class EventTree {
  readonly root: EventNode = emptyNode('', 'sample', '', {})
  private readonly spans = new Map<string, EventNode>()
  /** Spans of tools whose event has not come yet, and the opposite. */
  private readonly toolSpans = new Set<EventNode>()
  private readonly toolEvents = new Set<EventNode>()

  constructor(events: readonly Members[]) {
    this.add(events, this.root, '')
  }

  /** Events of older logs are nested, and their steps begin and end in order. */
  private add(events: readonly Members[], parent: EventNode, prefix: string): void {
    const steps = new OpenSteps(parent)
    for (const [index, event] of events.entries()) {
      const key = textOf(event['uuid']) ?? `${prefix}${index}`
      const inside = this.spans.get(String(event['span_id'])) ?? steps.innermost
      const type = String(event['event'])
      if (type === 'span_begin') this.beginSpan(event, key, steps.innermost)
      else if (type === 'span_end') this.endSpan(event)
      else if (type === 'step') steps.change(event, key)
      else if (type === 'tool') this.addTool(event, key, inside)
      else if (type === 'model' || type === 'sandbox' || type === 'subtask') this.addLeaf(event, key, inside)
      else if (!leftOut.has(type)) inside.notes.push(event)
    }
  }

  private beginSpan(event: Members, key: string, otherwise: EventNode): void {
    const id = String(event['id'])
    const parent = this.spans.get(String(event['parent_id'])) ?? otherwise
    const type = textOf(event['type']) ?? 'span'
    const name = textOf(event['name']) ?? type
    const tool = type === 'tool' ? firstOf(this.toolEvents, parent, name) : undefined
    if (transparent.has(type) || tool !== undefined) {
      this.spans.set(id, tool ?? parent)
      return
    }
    const node = emptyNode(key, type, name, event)
    parent.children.push(node)
    this.spans.set(id, node)
    if (type === 'tool') this.toolSpans.add(node)
  }

  private endSpan(event: Members): void {
    const node = this.spans.get(String(event['id']))
    // The end of a tool is that of its event.
    if (node !== undefined && node !== this.root) node.endedAt ??= microsOf(event['timestamp'])
  }

  /** A tool has an event, and a span for what happens inside it. */
  private addTool(event: Members, key: string, inside: EventNode): void {
    const name = textOf(event['function']) ?? 'tool'
    const isOwnSpan = this.toolSpans.has(inside) && inside.name === name
    const span = isOwnSpan ? inside : firstOf(this.toolSpans, inside, name)
    if (span === undefined) {
      const node = this.addLeaf(event, key, inside)
      this.toolEvents.add(node)
      return
    }
    this.toolSpans.delete(span)
    span.event = event
    setTimes(span)
    this.add(objectsIn(event['events']), span, `${key}.`)
  }

  private addLeaf(event: Members, key: string, inside: EventNode): EventNode {
    const type = String(event['event'])
    const name = textOf(event['function']) ?? textOf(event['model']) ?? textOf(event['name']) ?? type
    const node = emptyNode(key, type, name, event)
    setTimes(node)
    inside.children.push(node)
    this.add(objectsIn(event['events']), node, `${key}.`)
    return node
  }
}

/** Steps that have begun and not ended, each inside the one before. */
class OpenSteps {
  private readonly parent: EventNode
  private readonly steps: EventNode[] = []

  constructor(parent: EventNode) {
    this.parent = parent
  }

  get innermost(): EventNode {
    return this.steps.at(-1) ?? this.parent
  }

  /** Begins or ends a step. */
  change(event: Members, key: string): void {
    const type = textOf(event['type']) ?? 'step'
    const name = textOf(event['name']) ?? type
    if (event['action'] === 'begin') {
      const node = emptyNode(key, type, name, event)
      this.innermost.children.push(node)
      this.steps.push(node)
      return
    }
    const open = this.steps.findLastIndex((step) => step.name === name)
    if (open >= 0) for (const step of this.steps.splice(open)) step.endedAt = microsOf(event['timestamp'])
  }
}

/** Tools of one name run in the order in which they were begun. */
function firstOf(waiting: Set<EventNode>, parent: EventNode, name: string): EventNode | undefined {
  const found = parent.children.find((child) => waiting.has(child) && child.name === name)
  if (found !== undefined) waiting.delete(found)
  return found
}

/** Without `completed`, as in older logs, the event was written when it was over. */
function setTimes(node: EventNode): void {
  const { event } = node
  const written = microsOf(event['timestamp'])
  const completed = microsOf(event['completed'])
  const seconds = numberOf(event['working_time']) ?? numberOf(membersOf(event['output'])['time']) ?? 0
  node.endedAt = completed ?? written
  node.startedAt = completed === undefined && written !== undefined ? written - seconds * 1e6 : written
}

const emptyNode = (key: string, type: string, name: string, event: Members): EventNode => ({
  key,
  type,
  name,
  event,
  startedAt: microsOf(event['timestamp']),
  endedAt: undefined,
  children: [],
  notes: [],
})
