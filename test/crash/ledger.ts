import { appendFileSync } from 'node:fs'
import type { CallRecord } from '../conformance/support/call-shapes.ts'

/** Members of a call as sent; members that no request mentioned are absent. */
export type Members = Readonly<Record<string, unknown>>

/** The effect of one request on one call. */
export type Effect =
  | { readonly id: string; readonly does: 'merge'; readonly members: Members }
  | { readonly id: string; readonly does: 'delete' }

/** A request and its effects, which are applied atomically. */
export interface Operation {
  readonly path: string
  readonly body: unknown
  readonly effects: readonly Effect[]
}

interface KnownCall {
  readonly members: Members
  readonly deleted: boolean
}

/** The call as clients should read it, or null if it is not visible. */
export type View = Members | null

const shownMembers = [
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'attributes',
  'inputs',
  'output',
  'exception',
  'ext_run_id',
  'ext_run_step',
  'ext_run_step_end',
] as const

/**
 * The expected contents of a project after everything that the server acknowledged; kept outside
 * the server, in memory and in a file.
 */
export class Ledger {
  readonly projectId: string
  private readonly file: string
  private readonly calls = new Map<string, KnownCall>()

  constructor(projectId: string, file: string) {
    this.projectId = projectId
    this.file = file
  }

  get ids(): readonly string[] {
    return [...this.calls.keys()]
  }

  /** Records an operation that the server acknowledged. */
  acknowledge({ path, effects }: Operation): void {
    appendFileSync(this.file, `${JSON.stringify({ project: this.projectId, path, effects })}\n`)
    for (const effect of effects) this.calls.set(effect.id, after(this.calls.get(effect.id), effect))
  }

  view(id: string): View {
    return viewOf(this.calls.get(id))
  }

  /** The calls of an operation after it was applied. */
  viewsAfter({ effects }: Operation): Map<string, View> {
    const calls = new Map<string, KnownCall | undefined>()
    for (const effect of effects) calls.set(effect.id, after(calls.get(effect.id) ?? this.calls.get(effect.id), effect))
    return new Map([...calls].map(([id, call]) => [id, viewOf(call)]))
  }

  /** The visible ones of the given calls and of their descendants. */
  withDescendants(roots: readonly string[]): string[] {
    const found = new Set(roots.filter((id) => this.view(id) !== null))
    for (const parent of found) {
      const trace = this.view(parent)?.['trace_id']
      for (const id of this.calls.keys()) {
        const view = this.view(id)
        if (view !== null && view['parent_id'] === parent && view['trace_id'] === trace) found.add(id)
      }
    }
    return [...found]
  }
}

/** The last value of a member wins, null never erases one, and a deleted call stays deleted. */
function after(call: KnownCall = { members: {}, deleted: false }, effect: Effect): KnownCall {
  if (call.deleted) return call
  if (effect.does === 'delete') return { ...call, deleted: true }
  const sent = Object.entries(effect.members).filter(([, value]) => value !== null && value !== undefined)
  return { ...call, members: { ...call.members, ...Object.fromEntries(sent) } }
}

function viewOf(call: KnownCall | undefined): View {
  if (call === undefined || call.deleted || call.members['op_name'] === undefined) return null
  const { members } = call
  const view = Object.fromEntries(shownMembers.map((name) => [name, members[name] ?? null]))
  return { ...view, summary: members['summary'] ?? {} }
}

/** A call in a response, in the form of a view. */
export function viewOfRecord(record: CallRecord): View {
  const { ext: _derived, ...summary } = record.summary
  return { ...Object.fromEntries(shownMembers.map((name) => [name, record[name]])), summary }
}
