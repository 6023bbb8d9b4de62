import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isJsonObject, mergeObjects } from '../../lib/json-value.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { checkObjectId, classContent, type ObjectBuilder, type ObjectVersion } from '../objects/index.ts'

/** A version of a dataset and its table. */
export interface DatasetVersion {
  readonly version: ObjectVersion
  readonly table: string
}

/** Versions of datasets as objects that refer to a table. */
export class DatasetVersions {
  private readonly builder: ObjectBuilder

  constructor(builder: ObjectBuilder) {
    this.builder = builder
  }

  /** @throws DomainError NotFound, ObjectDeleted; InvalidRequest if it is no dataset */
  async read(reader: ProjectReader, objectId: string, digest: string): Promise<DatasetVersion> {
    const version = await this.builder.objects.read(reader, { object_id: objectId, digest, kind: 'object' })
    return { version, table: this.tableOf(reader, version) }
  }

  /** The latest version; undefined if there is none. @throws DomainError InvalidRequest */
  async findLatest(reader: ProjectReader, objectId: string): Promise<DatasetVersion | undefined> {
    const version = await this.builder.objects.find(reader, { object_id: objectId, digest: 'latest', kind: 'object' })
    if (version === undefined || version.deleted_at !== null) return undefined
    return { version, table: this.tableOf(reader, version) }
  }

  /** Those versions that have a table in the project. */
  withTables(reader: ProjectReader, versions: readonly ObjectVersion[]): DatasetVersion[] {
    return versions.flatMap((version) => {
      const table = findTable(reader, version)
      return table === undefined ? [] : [{ version, table }]
    })
  }

  private tableOf(reader: ProjectReader, version: ObjectVersion): string {
    const table = findTable(reader, version)
    if (table !== undefined) return table
    const { object_id } = version
    throw new DomainError('InvalidRequest', `The object ${quoted(object_id)} is no dataset with rows in this project`)
  }

  /**
   * Checks before a file is read what `save` checks at the end.
   *
   * @throws DomainError InvalidField, InvalidRequest, VersionConflict
   */
  checkName(name: string, latest: DatasetVersion | undefined, expected: string | null | undefined): void {
    checkObjectId(name)
    const digest = latest?.version.digest ?? ''
    if (expected == null || expected === digest) return
    throw new DomainError(
      'VersionConflict',
      `Dataset ${quoted(name)} has changed: its latest version is ${quoted(digest)}, not ${quoted(expected)}; ` +
        'compare the two and import again from the latest',
      {
        extras: {
          latest_digest: latest?.version.digest ?? null,
          latest_version_index: latest?.version.version_index ?? null,
        },
      },
    )
  }

  /**
   * Stores a version with the rows of a table; other members are those of the version before.
   *
   * @throws DomainError VersionConflict, ObjectNameTypeCollision
   */
  async save(
    writer: ProjectWriter,
    made: {
      readonly name: string
      readonly description: string | null | undefined
      readonly table: string
      readonly before: DatasetVersion | undefined
      readonly expectedLatest: string | null | undefined
    },
  ) {
    const { name, before, description } = made
    const rows = this.builder.tableRef(writer.projectId, made.table)
    const known = before?.version.val
    const members = isJsonObject(known) ? known : classContent('Dataset', { name, description: null, rows })
    const val = mergeObjects(members, { rows, ...(description == null ? {} : { description }) })
    return await this.builder.objects.create(writer, {
      object_id: name,
      val,
      expected_latest_digest: made.expectedLatest ?? null,
    })
  }
}

function findTable(reader: ProjectReader, { val }: ObjectVersion): string | undefined {
  const rows = isJsonObject(val) ? val['rows'] : undefined
  const ref = typeof rows === 'string' ? findRef(rows) : undefined
  return ref?.kind === 'table' && ref.projectId === reader.projectId ? ref.digest : undefined
}
