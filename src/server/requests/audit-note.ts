import type { Caller } from '../../domains/access/index.ts'
import type { AuditEntry, AuditKind } from '../../domains/audit/index.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Operation } from './operation.ts'

/** Records that a request touches, found while it is handled. */
export class AuditNote {
  private readonly method: string
  private readonly projects = new Set<string>()
  private ids: readonly string[] = []
  private items = 0
  private reason: string | undefined

  /** @param method of the request; GET and HEAD change nothing */
  constructor(method: string) {
    this.method = method
  }

  /** The same caller; projects that it asks for from now on are noted. */
  watch(caller: Caller): Caller {
    return caller.watched((projectId) => {
      if (this.projects.size < requestLimits.auditIdsMax) this.projects.add(projectId)
    })
  }

  /** Notes the ids that a request names. */
  named(operation: Operation | undefined, params: Readonly<Record<string, string>> | undefined, body: unknown): void {
    const kind = this.kindOf(operation)
    // Bodies of exports are bytes, and no ids are kept of sent telemetry.
    const members = isJsonObject(body) && !ArrayBuffer.isView(body) ? body : {}
    const batch = members['batch']
    if (kind === 'ingest') {
      this.items = Array.isArray(batch) ? batch.length : 0
      return
    }
    const reason = reasonedOperations.has(operation?.operationId ?? '') ? members['reason'] : undefined
    if (typeof reason === 'string' && reason.trim() !== '') this.reason = reason.trim()
    const isAdmin = kind === 'admin'
    const found = [...Object.entries(params ?? {}), ...Object.entries(members)].flatMap(([name, value]) =>
      idMembers.has(name) || (isAdmin && adminMembers.has(name)) ? [value].flat() : [],
    )
    this.items = Array.isArray(batch) ? batch.length : found.length
    this.ids = found
      .filter((id) => typeof id === 'string')
      .slice(0, requestLimits.auditIdsMax)
      .map((id) => id.slice(0, requestLimits.auditIdCharsMax))
  }

  /** The entry of an answered request. */
  entryOf(
    { userId, userName }: Caller,
    operation: Operation | undefined,
    answered: Pick<AuditEntry, 'status' | 'address' | 'requestId'>,
  ): AuditEntry {
    return {
      ...answered,
      kind: this.kindOf(operation),
      operation: operation?.operationId ?? 'unknown',
      userId,
      userName,
      projectIds: [...this.projects],
      itemIds: this.ids,
      items: this.items,
      reason: this.reason,
    }
  }

  private kindOf(operation: Operation | undefined): AuditKind {
    const isRead = this.method === 'GET' || this.method === 'HEAD' || operation?.readOnly === true
    if (operation === undefined || isRead) return 'read'
    const id = operation.operationId ?? ''
    if (ingestOperations.has(id) || id.startsWith('otel')) return 'ingest'
    return operation.tags?.includes('Administration') === true ? 'admin' : 'change'
  }
}

/**
 * Members of requests that name what they are about; others may be contents. Keys and secrets have
 * names too.
 */
const idMembers: ReadonlySet<string> = new Set([
  'id',
  'ids',
  'call_id',
  'call_ids',
  'trace_id',
  'object_id',
  'object_ids',
  'digest',
  'digests',
  'from_digest',
  'aliases',
  'feedback_id',
  'queue_id',
  'rule_id',
  'run_id',
  'item_id',
])

/** Operations whose requests may say why. */
const reasonedOperations: ReadonlySet<string> = new Set(['objects.setAliases', 'objects.removeAliases'])
/** Members of administration: names of keys and secrets, and what was asked in SQL. */
const adminMembers: ReadonlySet<string> = new Set(['name', 'statement'])

/** Operations that programs send telemetry with, often many times a second. */
const ingestOperations: ReadonlySet<string> = new Set([
  'calls.start',
  'calls.startV2',
  'calls.end',
  'calls.endV2',
  'calls.upsertBatch',
  'calls.complete',
])
