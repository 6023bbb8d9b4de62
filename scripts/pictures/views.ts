import { boardId } from './board.ts'

/** A picture: what it shows, and where. */
export interface View {
  readonly name: string
  /** Below the address of the server. */
  readonly path: string
  readonly isPhone?: boolean
}

/** Pictures of a recorded conversation: its trace with the last answer of the model; its thread. */
export function conversationViews(project: string, call: { traceId: string; id: string; threadId: string }): View[] {
  const trace = `/ui/${project}/trace/${call.traceId}?call=${call.id}`
  const thread = `/ui/${project}/thread/${call.threadId}`
  return [
    { name: 'conversation-trace', path: trace },
    { name: 'conversation-thread', path: thread },
    { name: 'conversation-trace-phone', path: trace, isPhone: true },
    { name: 'conversation-thread-phone', path: thread, isPhone: true },
  ]
}

/** The pictures, of traces with these ids and of this thread. */
export function views(project: string, traceIds: readonly string[], threadId: string): readonly View[] {
  const [trace = '', other = ''] = traceIds
  return [
    { name: 'traces', path: `/ui/${project}/traces` },
    { name: 'trace', path: `/ui/${project}/trace/${trace}` },
    { name: 'thread', path: `/ui/${project}/thread/${threadId}` },
    { name: 'dashboards', path: `/ui/${project}/dashboards` },
    { name: 'dashboard-edit', path: `/ui/${project}/dashboards/${boardId}?edit=1&card=latency` },
    { name: 'start', path: '/ui/acme/assistant/start' },
    { name: 'compare', path: `/ui/${project}/compare?ids=${trace},${other}` },
    { name: 'traces-phone', path: `/ui/${project}/traces`, isPhone: true },
    { name: 'trace-phone', path: `/ui/${project}/trace/${trace}`, isPhone: true },
  ]
}
