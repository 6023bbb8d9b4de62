import type { Store } from '../../engine/store.ts'
import { labelsTable, objectsTable } from '../../engine/tables/objects-table.ts'
import type { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { digestOfJson } from '../../runtime/digest.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import type { ProjectWriter } from '../access/index.ts'
import { withInternalRefs, withOutsideRefs } from '../records/index.ts'
import type { ClassRules } from './builtin/builtin-class.ts'
import type { DeletedVersion, ObjectCreate } from './model/objects.ts'
import { type ClassOf, checkMonitorQuery, checkObjectId, classify } from './object-class.ts'
import type { VersionReader } from './version-reader.ts'
import { labelRow, parseExactSelector, removalRow, type VersionRecord, versionRow } from './version-row.ts'

/** Identifiers of a stored version. */
export interface CreatedVersion {
  readonly object_id: string
  readonly digest: string
  readonly version_index: number
}

/** Creates and deletes versions. Changes to versions or labels of one project are serialized. */
export class VersionWriter {
  private readonly store: Store
  private readonly clock: MonotonicClock
  private readonly queue: KeyedMutex
  private readonly versions: VersionReader
  private readonly rules: ClassRules

  constructor(options: {
    store: Store
    clock: Clock
    queue: KeyedMutex
    versions: VersionReader
    rules: ClassRules
  }) {
    this.store = options.store
    this.clock = new MonotonicClock(options.clock)
    this.queue = options.queue
    this.versions = options.versions
    this.rules = options.rules
  }

  /**
   * Stores content as a version, which becomes the latest. Content stored before under this name
   * keeps its version number, even if it was deleted.
   *
   * @throws DomainError InvalidRequest, InvalidField, DigestMismatch, ObjectNameTypeCollision,
   *   VersionConflict
   */
  async create(writer: ProjectWriter, object: Omit<ObjectCreate, 'project_id'>): Promise<CreatedVersion> {
    const { object_id: objectId, expected_digest: expected, expected_latest_digest: latest } = object
    const className = object.builtin_object_class ?? object.set_base_object_class ?? undefined
    const { val, ...classOf } = await classify(object.val, className, this.rules)
    const internal = withInternalRefs(val)
    const digest = digestOfJson(internal)
    // The digest computed by clients that do not know internal project ids, and could not say so.
    const sentDigest = internal === val || expected != null ? digest : digestOfJson(val)
    if (expected != null && expected !== digest) {
      throw new DomainError(
        'DigestMismatch',
        `\`expected_digest\` ${quoted(expected, 200)} does not match object ${quoted(objectId, 200)}: ` +
          `its digest is "${digest}"`,
      )
    }
    checkMonitorQuery(val, classOf)
    const valText = JSON.stringify(withOutsideRefs(val, writer))
    return await this.queue.run(writer.projectId, async () => {
      const known = await this.versions.records(writer, objectId)
      checkCollision(objectId, classOf, known)
      checkObjectId(objectId)
      if (latest != null) checkLatest(objectId, latest, { digest, kind: classOf.kind, known })
      const version = this.nextVersion(writer, { objectId, digest, classOf, valText }, known)
      await this.store.write(objectsTable.name, [
        versionRow(writer.projectId, version, valText, this.clock.nowMicros()),
      ])
      if (sentDigest !== digest) {
        const label = { projectId: writer.projectId, type: 'digest', objectId, digest, name: sentDigest } as const
        await this.store.write(labelsTable.name, [labelRow(label, writer.userId, this.clock.nowMicros())])
      }
      return { object_id: objectId, digest, version_index: version.versionIndex }
    })
  }

  /**
   * Deletes versions with their tags and aliases: all, or those named (digest, `latest`,
   * `v<number>`). Content is deleted, version numbers are never reused.
   *
   * @throws DomainError InvalidRequest; NotFound if any of them, or all, do not exist: then nothing
   *   is deleted
   */
  async delete(
    writer: ProjectWriter,
    objectId: string,
    names: readonly string[] | null | undefined,
  ): Promise<DeletedVersion[]> {
    const given = [...new Set(names ?? [])]
    if (given.length > operationLimits.deleteVersionsMax) {
      throw new DomainError(
        'InvalidRequest',
        `Delete ${given.length} versions at once: too many. Please delete ${operationLimits.deleteVersionsMax} or ` +
          'fewer objects at a time',
      )
    }
    return await this.queue.run(writer.projectId, async () => {
      const asNames = given.map((digest) => ({ object_id: objectId, digest }))
      const stored = await this.versions.contents.sentDigests.stored(writer, asNames)
      const wanted = [...new Set(given.map((name, index) => stored[index] ?? name))]
      const all = await this.versions.records(writer, objectId, [], { withLabels: true })
      const live = all.filter(({ deletedAt }) => deletedAt === null)
      const found = wanted.length === 0 ? live : namedVersions(objectId, wanted, live)
      if (found.length === 0) {
        throw new DomainError('NotFound', `Obj ${objectId.slice(0, 200)} not found`)
      }
      const nowMicros = this.clock.nowMicros()
      // Labels first, then the versions they point to.
      await this.store.write(
        labelsTable.name,
        found.flatMap((version) => labelRemovals(writer, version, nowMicros)),
      )
      await this.store.write(
        objectsTable.name,
        found.map((version) =>
          versionRow(writer.projectId, { ...version, deletedAt: nowMicros, sizeBytes: 0 }, null, nowMicros),
        ),
      )
      return found.map(({ digest, baseClass, leafClass }) => ({
        digest,
        base_object_class: baseClass,
        leaf_object_class: leafClass,
      }))
    })
  }

  private nextVersion(
    { userId }: ProjectWriter,
    made: { objectId: string; digest: string; classOf: ClassOf; valText: string },
    known: readonly VersionRecord[],
  ): VersionRecord {
    const { objectId, digest, classOf, valText } = made
    const sizeBytes = Buffer.byteLength(valText)
    // Times of one name only increase, even if the clock does not.
    const nowMicros = Math.max(this.clock.nowMicros(), ...known.map(({ latestAt }) => latestAt + 1))
    const before = known.find((version) => version.digest === digest)
    if (before !== undefined) {
      // Recreating a deleted version makes a new one that only reuses the number.
      const anew = before.deletedAt === null ? {} : { createdAt: nowMicros, userId }
      return { ...before, ...anew, sizeBytes, latestAt: nowMicros, deletedAt: null }
    }
    const ofKind = known.filter(({ kind }) => kind === classOf.kind)
    return {
      objectId,
      digest,
      kind: classOf.kind,
      baseClass: classOf.base,
      leafClass: classOf.leaf,
      versionIndex: Math.max(-1, ...ofKind.map(({ versionIndex }) => versionIndex)) + 1,
      sizeBytes,
      userId,
      createdAt: nowMicros,
      latestAt: nowMicros,
      deletedAt: null,
      isLatest: true,
      tags: [],
      aliases: [],
    }
  }
}

/**
 * Checks that the latest version is the one the client expects. It may also be the one to be
 * stored, because repeating a request is not a conflict. See
 * docs/decisions/233-no-lost-versions.md.
 *
 * @throws DomainError VersionConflict
 */
function checkLatest(
  objectId: string,
  expected: string,
  made: { readonly digest: string; readonly kind: string; readonly known: readonly VersionRecord[] },
): void {
  const [latest] = made.known
    .filter(({ deletedAt, kind }) => deletedAt === null && kind === made.kind)
    .sort((a, b) => b.latestAt - a.latestAt)
  const current = latest?.digest ?? ''
  if (current === expected || current === made.digest) return
  const now = latest === undefined ? 'it has no version' : `its latest version is v${latest.versionIndex}, "${current}"`
  throw new DomainError(
    'VersionConflict',
    `Object ${quoted(objectId, 200)} has changed: ${now}, not "${expected.slice(0, 200)}"; ` +
      'compare the two and save again from the latest',
    { extras: { latest_digest: latest?.digest ?? null, latest_version_index: latest?.versionIndex ?? null } },
  )
}

/** All versions of a name and kind have the same base class, or none. */
function checkCollision(objectId: string, { kind, base }: ClassOf, known: readonly VersionRecord[]): void {
  const others = known.filter(
    (version) => version.deletedAt === null && version.kind === kind && version.baseClass !== base,
  )
  if (others.length === 0) return
  const classes = [...new Set(others.map(({ baseClass }) => baseClass))]
  const describe = (name: string | null) => (name === null ? 'no class' : `class "${name}"`)
  throw new DomainError(
    'ObjectNameTypeCollision',
    `Object ${quoted(objectId, 200)} cannot have ${describe(base)}: its other versions have ` +
      `${classes.map(describe).join(', ')}`,
    {
      extras: {
        object_id: objectId,
        kind,
        new_base_object_class: base,
        existing_base_object_classes: classes,
        object_name: objectId,
      },
    },
  )
}

function namedVersions(objectId: string, names: readonly string[], live: readonly VersionRecord[]): VersionRecord[] {
  const found = new Set<VersionRecord>()
  const missing: string[] = []
  for (const name of names) {
    const selector = parseExactSelector(name)
    const matching = live.filter((version) => {
      if (selector.by === 'latest') return version.isLatest
      return selector.by === 'index' ? version.versionIndex === selector.index : version.digest === selector.text
    })
    if (matching.length === 0) missing.push(name)
    // An op and an object may share a name; a selector means one of them.
    const [last] = matching.sort((a, b) => b.latestAt - a.latestAt)
    if (last !== undefined) found.add(last)
  }
  const [first] = missing
  if (first !== undefined) throw notAllFound(objectId, first, { requested: names.length, found: found.size, missing })
  return [...found]
}

/** The wording is matched by clients. */
function notAllFound(
  objectId: string,
  first: string,
  { requested, found, missing }: { requested: number; found: number; missing: readonly string[] },
): DomainError {
  const quoted = missing.map((name) => `'${name.slice(0, 200)}'`).join(', ')
  return new DomainError(
    'NotFound',
    `Obj ${objectId.slice(0, 200)}:${first.slice(0, 200)} not found. Delete request contains ${requested} digests, ` +
      `but found ${found} objects to delete. Diff digests: {${quoted}}`,
  )
}

const labelRemovals = (
  { projectId }: ProjectWriter,
  { objectId, digest, tags, aliases }: VersionRecord,
  now: number,
) => [
  ...tags.map((name) => removalRow({ projectId, type: 'tag', objectId, digest, name }, now)),
  // `latest` is derived from the versions, not a label.
  ...aliases
    .filter((name) => name !== 'latest')
    .map((name) => removalRow({ projectId, type: 'alias', objectId, digest, name }, now)),
]
