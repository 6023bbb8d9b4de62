import { DomainError, type ErrorType } from '../../errors.ts'
import type { ProjectWriter } from '../../foundation/access/caller.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import { digestOfJson } from '../../kernel/digest.ts'
import type { Row } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import type { Objects } from '../../records/objects/objects.ts'
import { callsTable } from '../../tables/calls-table.ts'

/** A name that op objects cannot have stays a plain name. */
const nameRefusals: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'InvalidField', 'ObjectNameTypeCollision'])

export interface SpanOpsDependencies {
  readonly objects: Pick<Objects, 'query' | 'create' | 'refOf' | 'opContent'>
}

/** Rows of one op of one project. */
interface Named {
  readonly writer: ProjectWriter
  readonly name: string
  readonly rows: Row[]
}

/**
 * Gives calls that are made from spans an op to be named after, so that filters by op find them as they find others: the latest
 * version of the op of that name, or a placeholder without source, which is made once.
 */
export class SpanOps {
  private readonly objects: SpanOpsDependencies['objects']
  private readonly placeholder: unknown
  private readonly placeholderDigest: string
  /** Digest by project and name. */
  private readonly known = new BoundedMap<string, string>(limits.knownOpsMax)

  constructor({ objects }: SpanOpsDependencies) {
    this.objects = objects
    this.placeholder = objects.opContent({})
    this.placeholderDigest = digestOfJson(this.placeholder)
  }

  /**
   * Turns the plain op name of each row into a ref. A request with very many new names gets refs whose objects are made when the names come
   * again: what a placeholder's ref is does not depend on its being there.
   */
  async name(rows: readonly { readonly row: Row; readonly writer: ProjectWriter }[]): Promise<void> {
    const groups = grouped(rows)
    const unknown = [...groups].filter(([key]) => !this.known.has(key)).slice(0, limits.newOpsPerExportMax)
    const found = await this.latest(unknown.map(([, op]) => op))
    for (const [key, op] of unknown) {
      if (!found.has(key)) found.set(key, await this.make(op))
    }
    for (const [key, digest] of found) if (digest !== undefined) this.known.set(key, digest)
    for (const [key, { writer, name, rows: named }] of groups) {
      const isRefused = found.has(key) && found.get(key) === undefined
      if (isRefused) continue
      const version = found.get(key) ?? this.known.get(key) ?? this.placeholderDigest
      const ref = this.objects.refOf({ kind: 'op', projectId: writer.projectId, name, version })
      for (const row of named) row[callsTable.at.op_name] = ref
    }
  }

  /** Digests of the latest versions of those that there are, by key. */
  private async latest(ops: readonly Named[]): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>()
    for (const [projectId, ofProject] of Map.groupBy(ops, ({ writer }) => writer.projectId)) {
      const filter = { is_op: true, latest_only: true, object_ids: ofProject.map(({ name }) => name) }
      const versions = await this.objects.query(ofProject[0]!.writer, { filter, metadata_only: true })
      for (const { object_id, digest } of versions) found.set(keyOf(projectId, object_id), digest)
    }
    return found
  }

  /** Digest of a new placeholder; undefined where the name is none that ops can have. */
  private async make({ writer, name }: Named): Promise<string | undefined> {
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
    const name = row[callsTable.at.op_name] as string
    const key = keyOf(writer.projectId, name)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { writer, name, rows: [row] })
    else group.rows.push(row)
  }
  return groups
}

const keyOf = (projectId: string, name: string): string => `${projectId}\n${name}`
