import type { Store } from '../../engine/store.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { findRef, type ObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { Labels } from './labels.ts'
import type { DeletedVersion, ObjectCreate, ObjectsRequest, ObjectVersion } from './model/objects.ts'
import { type ReadOptions, type VersionName, VersionReader, withContent } from './version-reader.ts'
import { type CreatedVersion, VersionWriter } from './version-writer.ts'

/** Versioned objects and ops. */
export class Objects {
  readonly labels: Labels
  private readonly reader: VersionReader
  private readonly writer: VersionWriter
  private readonly dialect: Dialect

  constructor(options: {
    store: Store
    clock: Clock
    /** Private hosts allowed for providers. */
    privateHosts: readonly string[]
    dialect: Dialect
  }) {
    const { store, clock, privateHosts, dialect } = options
    const rules = { privateHosts, dialect }
    const queue = new KeyedMutex()
    this.dialect = dialect
    this.reader = new VersionReader({ store })
    this.writer = new VersionWriter({ store, clock, queue, versions: this.reader, rules })
    this.labels = new Labels({ store, clock, queue, versions: this.reader })
  }

  /**
   * Stores `val` as a version, which becomes the latest. Identical content is the same version,
   * also after its deletion.
   *
   * @throws DomainError InvalidRequest, InvalidField, DigestMismatch, ObjectNameTypeCollision,
   *   VersionConflict
   */
  create(writer: ProjectWriter, object: Omit<ObjectCreate, 'project_id'>): Promise<CreatedVersion> {
    return this.writer.create(writer, object)
  }

  /** Ref to a version, or to a path inside it. */
  refOf(version: Omit<ObjectRef, 'edges'> & Partial<ObjectRef>): string {
    return this.dialect.refs.object(version)
  }

  /** Content of an op with these files. @param files digest by name */
  opContent(files: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return { ...this.dialect.customValue('Op'), files }
  }

  /**
   * One version. @throws DomainError NotFound if it never existed, ObjectDeleted if it was deleted
   */
  read(reader: ProjectReader, name: VersionName, options?: ReadOptions): Promise<ObjectVersion> {
    return this.reader.read(reader, name, options)
  }

  /** One version, deleted or not (see `deleted_at`); undefined if it never existed. */
  find(reader: ProjectReader, name: VersionName, options?: ReadOptions): Promise<ObjectVersion | undefined> {
    return this.reader.find(reader, name, options)
  }

  /**
   * Contents of versions by digest, keyed by `object_id:digest`, in batches; unknown versions are
   * omitted.
   */
  contentsOf(
    reader: ProjectReader,
    names: readonly { readonly object_id: string; readonly digest: string }[],
  ): AsyncGenerator<ReadonlyMap<string, { readonly isDeleted: boolean; readonly val: unknown }>> {
    return this.reader.contents.contentsOf(reader, names)
  }

  /**
   * Versions that match a filter, without deleted ones, in batches. @throws DomainError
   * InvalidRequest, InvalidField
   */
  async *stream(
    reader: ProjectReader,
    request: Omit<ObjectsRequest, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<ObjectVersion[]> {
    for await (const some of this.reader.stream(reader, request, signal)) yield some.map(withContent)
  }

  /**
   * The same as JSON texts, with content copied verbatim. @throws DomainError InvalidRequest,
   * InvalidField
   *
   * @param nameOf name of a member for the client
   */
  async *texts(
    reader: ProjectReader,
    request: Omit<ObjectsRequest, 'project_id'>,
    nameOf: (member: string) => string,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    for await (const some of this.reader.stream(reader, request, signal)) {
      yield some.map(({ version, valText }) => {
        const members = Object.entries(version).map(([name, value]) => [nameOf(name), value])
        return `${JSON.stringify(Object.fromEntries(members)).slice(0, -1)},"val":${valText}}`
      })
    }
  }

  /**
   * The same at once, for queries with few results. @throws DomainError InvalidRequest,
   * InvalidField
   */
  query(reader: ProjectReader, request: Omit<ObjectsRequest, 'project_id'>): Promise<ObjectVersion[]> {
    return this.reader.query(reader, request)
  }

  /**
   * Deletes versions with their tags and aliases: all versions of an object, or those in `versions`
   * (digest, `latest`, `v<number>`).
   *
   * @throws DomainError InvalidRequest; NotFound if any of them, or all, do not exist: then nothing
   *   is deleted
   */
  delete(
    writer: ProjectWriter,
    objectId: string,
    versions?: readonly string[] | null | undefined,
  ): Promise<DeletedVersion[]> {
    return this.writer.delete(writer, objectId, versions)
  }
}

/**
 * The JSON Schema of the annotation spec at a ref; undefined if it does not exist in the project.
 */
export async function findAnnotationSchema(objects: Objects, reader: ProjectReader, text: string): Promise<unknown> {
  const ref = findRef(text)
  if (ref?.kind !== 'object' || ref.projectId !== reader.projectId) return undefined
  const spec = await objects.find(reader, { object_id: ref.name, digest: ref.version, kind: 'object' })
  if (spec === undefined || spec.deleted_at !== null || spec.leaf_object_class !== 'AnnotationSpec') return undefined
  // Without a schema, any value is valid.
  return isJsonObject(spec.val) ? (spec.val['field_schema'] ?? true) : undefined
}
