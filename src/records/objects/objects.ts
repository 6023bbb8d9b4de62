import type { Dialect } from '../../dialect/dialect.ts'
import type { ObjectRef } from '../../dialect/parsed-ref.ts'
import type { ProjectReader, ProjectWriter } from '../../foundation/access/caller.ts'
import { KeyedMutex } from '../../foundation/keyed-mutex.ts'
import type { DeletedVersion, ObjectCreate, ObjectsRequest, ObjectVersion } from '../../model/objects.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Store } from '../../store/store.ts'
import { Labels } from './labels.ts'
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
    /** Private hosts that providers may be at. */
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
   * Stores `val` as a version, which becomes the latest one. The same content again is the same version, also after its deletion.
   *
   * @throws DomainError InvalidRequest, InvalidField, DigestMismatch, ObjectNameTypeCollision
   */
  create(writer: ProjectWriter, object: Omit<ObjectCreate, 'project_id'>): Promise<CreatedVersion> {
    return this.writer.create(writer, object)
  }

  /** Ref of a version, or of a place inside it. */
  refOf(version: Omit<ObjectRef, 'edges'> & Partial<ObjectRef>): string {
    return this.dialect.refs.object(version)
  }

  /** Content of an op with these files. @param files digest by name */
  opContent(files: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return { ...this.dialect.customValue('Op'), files }
  }

  /** One version. @throws DomainError NotFound where there never was one, ObjectDeleted where it is deleted */
  read(reader: ProjectReader, name: VersionName, options?: ReadOptions): Promise<ObjectVersion> {
    return this.reader.read(reader, name, options)
  }

  /** One version, deleted or not (`deleted_at` tells); undefined where there never was one. */
  find(reader: ProjectReader, name: VersionName, options?: ReadOptions): Promise<ObjectVersion | undefined> {
    return this.reader.find(reader, name, options)
  }

  /** Content of versions given by digest, under `object_id:digest`, some at a time; those that never existed are left out. */
  contentsOf(
    reader: ProjectReader,
    names: readonly { readonly object_id: string; readonly digest: string }[],
  ): AsyncGenerator<ReadonlyMap<string, { readonly isDeleted: boolean; readonly val: unknown }>> {
    return this.reader.contents.contentsOf(reader, names)
  }

  /** Versions by filter, without deleted ones, some at a time, however many. @throws DomainError InvalidRequest, InvalidField */
  async *stream(
    reader: ProjectReader,
    question: Omit<ObjectsRequest, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<ObjectVersion[]> {
    for await (const some of this.reader.stream(reader, question, signal)) yield some.map(withContent)
  }

  /** The same as JSON texts in the dialect in force, content to the letter. @throws DomainError InvalidRequest, InvalidField */
  async *texts(
    reader: ProjectReader,
    question: Omit<ObjectsRequest, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    for await (const some of this.reader.stream(reader, question, signal)) {
      yield some.map(({ version, valText }) => {
        const members = Object.entries(version).map(([name, value]) => [this.dialect.nameOf(name), value])
        return `${JSON.stringify(Object.fromEntries(members)).slice(0, -1)},"val":${valText}}`
      })
    }
  }

  /** The same at once, for questions with few answers. @throws DomainError InvalidRequest, InvalidField */
  query(reader: ProjectReader, question: Omit<ObjectsRequest, 'project_id'>): Promise<ObjectVersion[]> {
    return this.reader.query(reader, question)
  }

  /**
   * Deletes versions with their tags and aliases: all of a name, or those that `versions` names (digest, `latest`, `v<number>`).
   *
   * @throws DomainError InvalidRequest; NotFound where one of them, or any, is not there: then nothing is deleted
   */
  delete(
    writer: ProjectWriter,
    objectId: string,
    versions?: readonly string[] | null | undefined,
  ): Promise<DeletedVersion[]> {
    return this.writer.delete(writer, objectId, versions)
  }
}
