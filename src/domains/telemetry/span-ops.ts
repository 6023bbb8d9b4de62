import { callsTable } from '../../engine/tables/calls-table.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { DomainError, type ErrorType } from '../../lib/errors.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { itemAt } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { cellAt } from '../../lib/typed-rows.ts'
import { digestOfJson } from '../../runtime/digest.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { Objects } from '../objects/index.ts'

/** Names that are invalid for op objects stay plain names. */
const nameRefusals: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'InvalidField', 'ObjectNameTypeCollision'])

interface SpanOpsDependencies {
  readonly objects: Pick<Objects, 'query' | 'create' | 'refOf' | 'opContent'>
}

/** An op of a project. */
export interface OpName {
  readonly writer: ProjectWriter
  readonly name: string
}

/** Rows with the same op. */
interface Named extends OpName {
  readonly rows: Row[]
}

/**
 * Assigns ops to calls made from spans, so that op filters find them like others: the latest
 * version of the op with that name, or a placeholder without source, which is created once. See
 * docs/decisions/034-ops-of-spans.md.
 */
export class SpanOps {
  private readonly objects: SpanOpsDependencies['objects']
  private readonly placeholder: unknown
  /** Version of ops without source. */
  readonly placeholderDigest: string
  /** Digest by project and name. */
  private readonly known = new BoundedMap<string, string>(telemetryLimits.knownOpsMax)

  constructor({ objects }: SpanOpsDependencies) {
    this.objects = objects
    this.placeholder = objects.opContent({})
    this.placeholderDigest = digestOfJson(this.placeholder)
  }

  /**
   * Replaces the plain op name of each row by a ref. In a request with very many new names, some
   * objects are created only when the names recur: the ref of a placeholder does not depend on its
   * existence.
   */
  async name(rows: readonly { readonly row: Row; readonly writer: ProjectWriter }[]): Promise<void> {
    const groups = grouped(rows)
    const versions = await this.versionsOf(groups)
    for (const [key, { writer, name, rows: named }] of groups) {
      const version = versions.get(key)
      if (version === undefined) continue
      const ref = this.objects.refOf({ kind: 'op', projectId: writer.projectId, name, version })
      for (const row of named) row[callsTable.at.op_name] = ref
    }
  }

  /**
   * Which version of its op each call refers to, in the same order; undefined for a name that is
   * invalid for ops. What does not exist is created, as in `name`.
   */
  async versions(ops: readonly OpName[]): Promise<(string | undefined)[]> {
    const byKey = new Map(ops.map((op) => [keyOf(op.writer.projectId, op.name), op]))
    const found = await this.versionsOf(byKey)
    return ops.map(({ writer, name }) => found.get(keyOf(writer.projectId, name)))
  }

  /** The ops of a project have been erased. */
  forget(projectId: string): void {
    this.known.deleteWhere((key) => key.startsWith(keyOf(projectId, '')))
  }

  /** Digests by key. */
  private async versionsOf(ops: ReadonlyMap<string, OpName>): Promise<Map<string, string | undefined>> {
    const unknown = [...ops].filter(([key]) => !this.known.has(key)).slice(0, telemetryLimits.newOpsPerExportMax)
    const found = await this.latest(unknown.map(([, op]) => op))
    for (const [key, op] of unknown) {
      if (!found.has(key)) found.set(key, await this.make(op))
    }
    for (const [key, digest] of found) if (digest !== undefined) this.known.set(key, digest)
    for (const key of ops.keys()) if (!found.has(key)) found.set(key, this.known.get(key) ?? this.placeholderDigest)
    return found
  }

  /** Digests of the latest versions that exist, by key. */
  private async latest(ops: readonly OpName[]): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>()
    for (const [projectId, ofProject] of Map.groupBy(ops, ({ writer }) => writer.projectId)) {
      const filter = { is_op: true, latest_only: true, object_ids: ofProject.map(({ name }) => name) }
      const versions = await this.objects.query(itemAt(ofProject, 0).writer, { filter, metadata_only: true })
      for (const { object_id, digest } of versions) found.set(keyOf(projectId, object_id), digest)
    }
    return found
  }

  /** Digest of a new placeholder; undefined if the name is invalid for ops. */
  private async make({ writer, name }: OpName): Promise<string | undefined> {
    try {
      return (await this.objects.create(writer, { object_id: name, val: this.placeholder })).digest
    } catch (error) {
      if (error instanceof DomainError && nameRefusals.has(error.type)) return undefined
      throw error
    }
  }
}

function grouped(rows: readonly { readonly row: Row; readonly writer: ProjectWriter }[]): Map<string, Named> {
  const groups = new Map<string, Named>()
  for (const { row, writer } of rows) {
    const name = cellAt(row, callsTable.at.op_name)
    const key = keyOf(writer.projectId, name)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { writer, name, rows: [row] })
    else group.rows.push(row)
  }
  return groups
}

const keyOf = (projectId: string, name: string): string => `${projectId}\n${name}`
