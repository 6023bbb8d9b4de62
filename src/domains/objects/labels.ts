import type { StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { labelsTable } from '../../engine/tables/objects-table.ts'
import type { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { compileLabelNames, compileLabels, type LabelsPlan } from './sql/labels.ts'
import type { VersionReader } from './version-reader.ts'
import { type Label, labelRow, parseVersionSelector, removalRow } from './version-row.ts'

/** Distinct, validated tag names. @throws DomainError InvalidRequest */
function tagNames(names: readonly string[]): string[] {
  return checked('tag', names, (name) => {
    const isTag =
      /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.test(name) && [...name].length <= operationLimits.tagCharsMax
    return isTag
      ? undefined
      : `use up to ${operationLimits.tagCharsMax} letters, digits, "_", "-" and single spaces inside`
  })
}

/**
 * Distinct, validated aliases to set: names that reads will take for an alias. @throws DomainError
 * InvalidRequest
 */
function aliasNames(names: readonly string[]): string[] {
  return checked('alias', names, (name) => {
    const fault = faultInAlias(name)
    if (fault !== undefined) return fault
    const { by } = parseVersionSelector(name)
    if (by === 'digest') return 'an alias must not have the form of a digest'
    return by === 'index' ? 'an alias must not have the form of a version number' : undefined
  })
}

/** Distinct, validated aliases to remove. @throws DomainError InvalidRequest */
const removedAliasNames = (names: readonly string[]): string[] => checked('alias', names, faultInAlias)

function faultInAlias(name: string): string | undefined {
  if (name === 'latest') return '"latest" is maintained by the server and cannot be set or removed'
  if (/^v\d+$/.test(name)) return 'an alias must not have the form of a version number'
  const isAlias = name.trim() !== '' && !/[/:]/.test(name) && [...name].length <= operationLimits.idCharsMax
  return isAlias ? undefined : `use 1 to ${operationLimits.idCharsMax} characters without "/" and ":"`
}

/** Distinct names. @throws DomainError InvalidRequest for too many */
function labelNames(names: readonly string[]): string[] {
  return checked('label', names, () => undefined)
}

function checked(what: string, names: readonly string[], faultIn: (name: string) => string | undefined): string[] {
  const each = [...new Set(names)]
  if (each.length > operationLimits.labelsPerRequestMax) {
    throw new DomainError(
      'InvalidRequest',
      tooMany('names', each.length, operationLimits.labelsPerRequestMax, ' per request'),
    )
  }
  for (const name of each) {
    const fault = faultIn(name)
    if (fault !== undefined) throw new DomainError('InvalidRequest', `Invalid ${what} ${quoted(name)}: ${fault}`)
  }
  return each
}

/**
 * Tags and aliases of versions. A tag may be on many versions; an alias points to one version of
 * its object.
 */
export class Labels {
  private readonly store: Store
  private readonly clock: Clock
  private readonly queue: KeyedMutex
  private readonly versions: VersionReader

  constructor(options: {
    store: Store
    clock: Clock
    queue: KeyedMutex
    versions: VersionReader
  }) {
    this.store = options.store
    this.clock = options.clock
    this.queue = options.queue
    this.versions = options.versions
  }

  /** Adds tags to the version with a digest. @throws DomainError InvalidRequest, NotFound */
  async addTags(writer: ProjectWriter, objectId: string, digest: string, tags: readonly string[]): Promise<void> {
    await this.set(writer, { type: 'tag', objectId, digest }, tagNames(tags))
  }

  /** Removes tags from a version; missing ones are ignored. @throws DomainError InvalidRequest */
  async removeTags(writer: ProjectWriter, objectId: string, digest: string, tags: readonly string[]): Promise<void> {
    const names = labelNames(tags)
    const stored = await this.versions.storedDigest(writer, objectId, digest)
    await this.remove(writer, { type: 'tag', objectId, digest: stored, names })
  }

  /**
   * Points aliases to the version with a digest, wherever they pointed before.
   *
   * @param from digest that all of them point to now, `''` for none; undefined for any
   * @throws DomainError InvalidRequest, NotFound; VersionConflict if one of them points elsewhere
   */
  async setAliases(
    writer: ProjectWriter,
    objectId: string,
    digest: string,
    aliases: readonly string[],
    from?: string | null,
  ): Promise<void> {
    await this.set(writer, { type: 'alias', objectId, digest }, aliasNames(aliases), from)
  }

  /** Removes aliases of an object; missing ones are ignored. @throws DomainError InvalidRequest */
  async removeAliases(writer: ProjectWriter, objectId: string, aliases: readonly string[]): Promise<void> {
    await this.remove(writer, { type: 'alias', objectId, names: removedAliasNames(aliases) })
  }

  /** Distinct tags of the project, sorted, as JSON texts in batches. */
  listTags(reader: ProjectReader, signal: AbortSignal): AsyncGenerator<string[]> {
    return this.list(reader, { type: 'tag' }, signal)
  }

  /** Likewise for aliases; includes `latest` if there is any version. */
  async *listAliases(reader: ProjectReader, signal: AbortSignal): AsyncGenerator<string[]> {
    const some = await this.versions.query(reader, { metadata_only: true, limit: 1 })
    yield* this.list(reader, { type: 'alias', further: some.length === 0 ? [] : ['latest'] }, signal)
  }

  private async set(
    writer: ProjectWriter,
    { type, objectId, digest: named }: Pick<Label, 'type' | 'objectId' | 'digest'>,
    names: readonly string[],
    from?: string | null,
  ): Promise<void> {
    const { projectId, userId } = writer
    await this.queue.run(projectId, async () => {
      const digest = await this.versions.storedDigest(writer, objectId, named)
      const found = await this.versions.records(writer, objectId, [{ by: 'digest', text: digest }])
      if (found.every(({ deletedAt }) => deletedAt !== null)) {
        throw new DomainError('NotFound', `Obj ${objectId.slice(0, 200)}:${named.slice(0, 200)} not found`)
      }
      if (names.length === 0) return
      if (from != null) await this.checkAliases(projectId, objectId, names, from)
      const nowMicros = this.nowMicros()
      await this.store.write(
        labelsTable.name,
        names.map((name) => labelRow({ projectId, type, objectId, digest, name }, userId, nowMicros)),
      )
    })
  }

  /** @throws DomainError VersionConflict if one of the aliases does not point to `from` */
  private async checkAliases(
    projectId: string,
    objectId: string,
    names: readonly string[],
    from: string,
  ): Promise<void> {
    const rows = await this.rows({ projectId, type: 'alias', objectId, names })
    const targets = new Map(rows.map(({ digest, name }) => [name, digest]))
    const moved = names.find((name) => (targets.get(name) ?? '') !== from)
    if (moved === undefined) return
    const now = targets.get(moved)
    throw new DomainError(
      'VersionConflict',
      `The alias ${quoted(moved)} of ${quoted(objectId, 200)} points to ` +
        `${now === undefined ? 'no version' : `version "${now}"`}, not to "${from.slice(0, 200)}"; ` +
        'read it again before you move it',
      { extras: { current_digest: now ?? null } },
    )
  }

  private async remove({ projectId }: ProjectWriter, plan: Omit<LabelsPlan, 'projectId'>): Promise<void> {
    if (plan.names?.length === 0) return
    await this.queue.run(projectId, async () => {
      const rows = await this.rows({ projectId, ...plan })
      if (rows.length === 0) return
      const nowMicros = this.nowMicros()
      await this.store.write(
        labelsTable.name,
        rows.map((label) => removalRow({ projectId, type: plan.type, ...label }, nowMicros)),
      )
    })
  }

  private async *list(
    { projectId }: ProjectReader,
    { type, further = [] }: { readonly type: LabelsPlan['type']; readonly further?: readonly string[] },
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const read = (snapshot: StreamSnapshot) => {
      const sql = compileLabelNames({ projectId, type }, snapshot.relation(labelsTable.name), further)
      return snapshot.texts(sql)
    }
    for await (const names of this.store.stream([labelsTable.name], { projectId, signal }, read))
      yield names.map((name) => JSON.stringify(name))
  }

  private async rows(plan: LabelsPlan) {
    const { projectId, objectId } = plan
    return await this.store.read([labelsTable.name], { projectId }, async (snapshot) => {
      const wanted = objectId === undefined ? {} : { object_id: [objectId] }
      const sql = compileLabels(plan, snapshot.relation(labelsTable.name, wanted))
      return await snapshot.rows(sql)
    })
  }

  private nowMicros(): number {
    return this.clock.nowMs() * 1000
  }
}
