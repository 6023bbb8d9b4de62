import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { parseTimeRange } from '../records/index.ts'
import type { ObjectUses, ObjectUsesRequest } from './model/object-uses.ts'
import { compileObjectUses, type ObjectUse } from './sql/object-uses.ts'

/** Which versions of objects calls used. */
export class ObjectUseCounts {
  private readonly store: Store
  private readonly clock: Clock

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  /** @throws DomainError InvalidRequest for a reversed range or one of more than a month */
  async count(reader: ProjectReader, request: ObjectUsesRequest, signal: AbortSignal): Promise<ObjectUses> {
    const { start, end } = parseTimeRange(request, this.clock.nowMs())
    const { projectId } = reader
    const names = request.object_ids ?? undefined
    const rows = await this.store.read([callsTable.name], { projectId, signal }, (snapshot) =>
      snapshot.rows(compileObjectUses(snapshot.relation(callsTable.name), { projectId, start, end, names })),
    )
    const versions = merged(rows.filter(({ digest }) => digest !== null))
    return {
      start: formatTime(start),
      end: formatTime(end),
      objects: merged(rows.filter(({ digest }) => digest === null)).map(({ digest: _, ...use }) => use),
      versions: versions.slice(0, operationLimits.usedVersionsMax),
      is_cut: versions.length > operationLimits.usedVersionsMax,
    }
  }
}

type Use = ObjectUses['versions'][number]

/** Adds up what refs spell differently: encoded or not. */
function merged(rows: readonly ObjectUse[]): Use[] {
  const byName = new Map<string, Use>()
  for (const { name, digest, calls, errors } of rows) {
    const use = { object_id: decoded(name), digest: decoded(digest ?? ''), calls, errors }
    const key = `${use.object_id}:${use.digest}`
    const other = byName.get(key)
    byName.set(key, other ? { ...use, calls: calls + other.calls, errors: errors + other.errors } : use)
  }
  return [...byName.values()].sort((a, b) => b.calls - a.calls)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A percent sign that begins no escape.
  }
}
