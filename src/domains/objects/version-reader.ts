import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { labelsTable, objectsTable } from '../../engine/tables/objects-table.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { DomainError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ObjectsRequest, ObjectVersion } from './model/objects.ts'
import { readsLabels, type VersionSelector, type VersionsPlan } from './plan/versions-plan.ts'
import type { VersionCells } from './sql/versions.ts'
import { compileVersions } from './sql/versions.ts'
import { VersionContents } from './version-contents.ts'
import { parseVersionSelector, type VersionRecord, versionId, versionMembers, versionRecord } from './version-row.ts'
import { bySize, planVersions, versionWindows } from './version-windows.ts'

/** Identifies one version of one object. */
export interface VersionName {
  readonly object_id: string
  /** Digest, `latest`, `v<number>`, or an alias. */
  readonly digest: string
  /** Kind, if an op and an object share the name; otherwise the most recently used one is taken. */
  readonly kind?: 'op' | 'object' | undefined
}

export interface ReadOptions {
  /** Omits the content; `val` is then an empty object. */
  readonly metadata_only?: boolean | null | undefined
  readonly include_tags_and_aliases?: boolean | null | undefined
}

/** A version with its content as JSON text. */
export interface FoundVersion {
  readonly version: Omit<ObjectVersion, 'val'>
  readonly valText: string
}

export const withContent = ({ version, valText }: FoundVersion): ObjectVersion => ({
  ...version,
  val: parseExactly(valText),
})

type VersionsRequest = Omit<ObjectsRequest, 'project_id'>

/**
 * Reads versions of objects and ops. `val` prints as it was sent, including numbers and member
 * order.
 */
export class VersionReader {
  private readonly store: Store
  readonly contents: VersionContents

  constructor({ store }: { store: Store }) {
    this.store = store
    this.contents = new VersionContents({ store })
  }

  /**
   * One version. @throws DomainError NotFound if it never existed, ObjectDeleted if it was deleted
   */
  async read(reader: ProjectReader, name: VersionName, options: ReadOptions = {}): Promise<ObjectVersion> {
    const version = await this.find(reader, name, options)
    if (version === undefined) {
      throw new DomainError('NotFound', `Obj ${excerpt(name.object_id)}:${excerpt(name.digest)} not found`)
    }
    if (version.deleted_at !== null) {
      const { object_id, version_index, deleted_at } = version
      throw new DomainError('ObjectDeleted', `${object_id}:v${version_index} was deleted at ${deleted_at}`, {
        extras: { deleted_at },
      })
    }
    return version
  }

  /** One version, even if deleted (`val` is then null); undefined if it never existed. */
  async find(
    reader: ProjectReader,
    { object_id, digest, kind }: VersionName,
    options: ReadOptions = {},
  ): Promise<ObjectVersion | undefined> {
    const selector = parseVersionSelector(digest)
    const found = await this.select(reader, { object_id, kind }, selector, options)
    if (found !== undefined || selector.by !== 'digest') return found
    const stored = await this.storedDigest(reader, object_id, digest)
    if (stored === digest) return undefined
    return await this.select(reader, { object_id, kind }, { by: 'digest', text: stored }, options)
  }

  /**
   * The digest that a version is stored under if `digest` is that of its content as sent; otherwise
   * `digest`.
   */
  async storedDigest(reader: ProjectReader, objectId: string, digest: string): Promise<string> {
    const [stored] = await this.contents.sentDigests.stored(reader, [{ object_id: objectId, digest }])
    return stored ?? digest
  }

  private async select(
    reader: ProjectReader,
    { object_id, kind }: Pick<VersionName, 'object_id' | 'kind'>,
    selector: VersionSelector,
    options: ReadOptions,
  ): Promise<ObjectVersion | undefined> {
    const { projectId } = reader
    const withLabels = options.include_tags_and_aliases === true
    const plan = selecting(reader, object_id, [selector], { kind, withLabels, limit: 1 })
    return await this.store.read(tablesOf(plan), reader, async (snapshot) => {
      const [version] = await this.recordsIn(snapshot, plan)
      if (version === undefined) return undefined
      const contents =
        options.metadata_only === true ? undefined : await this.contentsIn(snapshot, projectId, [version])
      const val = contents ? contents(version) : {}
      return { ...versionMembers(projectId, version, { withSize: false, withLabels }), val }
    })
  }

  /**
   * Versions that match a request, without deleted ones, in its order, in batches: memory does not
   * grow with their number or size.
   *
   * @throws DomainError InvalidRequest, InvalidField
   */
  async *stream(reader: ProjectReader, request: VersionsRequest, signal: AbortSignal): AsyncGenerator<FoundVersion[]> {
    const plan = planVersions(reader, request)
    if (plan.limit === 0) return
    yield* this.store.stream(tablesOf(plan), { projectId: reader.projectId, signal }, (snapshot) =>
      this.versionsIn(snapshot, plan, request),
    )
  }

  /**
   * All of them at once, for queries with few results. @throws DomainError InvalidRequest,
   * InvalidField
   */
  async query(reader: ProjectReader, request: VersionsRequest): Promise<ObjectVersion[]> {
    const plan = planVersions(reader, request)
    if (plan.limit === 0) return []
    return await this.store.read(tablesOf(plan), reader, async (snapshot) => {
      const found: ObjectVersion[] = []
      for await (const some of this.versionsIn(snapshot, plan, request)) found.push(...some.map(withContent))
      return found
    })
  }

  /**
   * Versions of one object without content, including deleted ones; all, or those that match any of
   * `selectors`.
   */
  async records(
    reader: ProjectReader,
    objectId: string,
    selectors: readonly VersionSelector[] = [],
    { withLabels = false }: { withLabels?: boolean } = {},
  ): Promise<VersionRecord[]> {
    const plan = selecting(reader, objectId, selectors, { withLabels })
    return await this.store.read(tablesOf(plan), reader, (snapshot) => this.recordsIn(snapshot, plan))
  }

  private async *versionsIn(
    snapshot: Snapshot,
    plan: VersionsPlan,
    request: VersionsRequest,
  ): AsyncGenerator<FoundVersion[]> {
    const { projectId, withLabels } = plan
    const withContents = request.metadata_only !== true
    const shown = { withSize: request.include_storage_size === true, withLabels }
    const compile = (part: VersionsPlan) => this.compiled(snapshot, part)
    for await (const window of versionWindows(snapshot, plan, compile)) {
      for (const some of withContents ? bySize(window) : [window]) {
        const texts = withContents ? await this.contents.textsIn(snapshot, projectId, some.map(idOfRecord)) : undefined
        yield some.map((version) => ({
          version: versionMembers(projectId, version, shown),
          valText: texts === undefined ? '{}' : (texts.get(idOfRecord(version)) ?? 'null'),
        }))
      }
    }
  }

  private async recordsIn(snapshot: Snapshot, plan: VersionsPlan): Promise<VersionRecord[]> {
    return (await snapshot.rows(this.compiled(snapshot, plan))).map(versionRecord)
  }

  private compiled(snapshot: Snapshot, plan: VersionsPlan): Sql<VersionCells> {
    const wanted = plan.objectIds.length === 0 ? {} : { object_id: plan.objectIds }
    return compileVersions(plan, {
      objects: snapshot.relation(objectsTable.name, wanted),
      labels: readsLabels(plan) ? snapshot.relation(labelsTable.name, wanted) : undefined,
    })
  }

  /** Contents are read separately, by id, so that nothing else has to carry them along. */
  private async contentsIn(snapshot: Snapshot, projectId: string, versions: readonly VersionRecord[]) {
    const ids = versions.filter(({ deletedAt }) => deletedAt === null).map(idOfRecord)
    const texts = await this.contents.textsIn(snapshot, projectId, ids)
    return (version: VersionRecord): unknown => parseExactly(texts.get(idOfRecord(version)) ?? 'null')
  }
}

const idOfRecord = ({ objectId, digest }: VersionRecord): string => versionId(objectId, digest)

const tablesOf = (plan: VersionsPlan): string[] =>
  readsLabels(plan) ? [objectsTable.name, labelsTable.name] : [objectsTable.name]

function selecting(
  { projectId }: ProjectReader,
  objectId: string,
  selectors: readonly VersionSelector[],
  options: { kind?: 'op' | 'object' | undefined; withLabels: boolean; limit?: number },
): VersionsPlan {
  return {
    projectId,
    objectIds: [objectId],
    kind: options.kind,
    withDeleted: true,
    latestOnly: false,
    baseClasses: [],
    notBaseClasses: [],
    leafClasses: [],
    tags: [],
    aliases: [],
    selectors,
    withLabels: options.withLabels,
    likeliestFirst: true,
    sort: [],
    limit: options.limit,
    offset: 0,
  }
}

const excerpt = (text: string): string => text.slice(0, 200)
