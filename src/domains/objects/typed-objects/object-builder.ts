import type { RefWriter } from '../../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, mergeObjects } from '../../../lib/json-value.ts'
import type { ProjectWriter } from '../../access/index.ts'
import type { Files } from '../../files/index.ts'
import type { RowTables } from '../../tables/index.ts'
import type { ObjectVersion } from '../model/objects.ts'
import type { Objects } from '../objects.ts'
import { SourceFiles, sourceName } from './source-files.ts'

/** Content of an object. */
export type Members = Readonly<Record<string, unknown>>

/** Members of a version's content; empty if it is not an object. */
export const membersOf = ({ val }: ObjectVersion): Members => (isJsonObject(val) ? val : {})

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Name and description, which objects of all classes have; the name defaults to that of the object.
 */
export const described = (version: ObjectVersion): { name: string; description: string | null } => {
  const { name, description } = membersOf(version)
  return { name: textOrNull(name) ?? version.object_id, description: textOrNull(description) }
}

/**
 * Adds user-defined members to content.
 *
 * @throws DomainError InvalidRequest if a name is already a member of the content or starts with
 *   `_`
 */
export function withAttributes(what: string, content: Members, attributes: Members | null | undefined): Members {
  const taken = Object.keys(attributes ?? {}).find((name) => name.startsWith('_') || Object.hasOwn(content, name))
  if (taken !== undefined) {
    throw new DomainError('InvalidRequest', `Invalid attribute ${quoted(taken)} of ${what}: the name is reserved`)
  }
  return mergeObjects(content, attributes ?? {})
}

/** Building blocks of objects: refs, sources, ops, rows. */
export class ObjectBuilder {
  readonly objects: Objects
  readonly tables: RowTables
  readonly sources: SourceFiles
  private readonly files: Files
  private readonly refs: RefWriter

  constructor(options: { objects: Objects; files: Files; tables: RowTables; refs: RefWriter }) {
    this.objects = options.objects
    this.files = options.files
    this.tables = options.tables
    this.refs = options.refs
    this.sources = new SourceFiles(options)
  }

  /** Ref of a version. */
  refOf(projectId: string, kind: 'object' | 'op', name: string, version: string): string {
    return this.refs.object({ kind, projectId, name, version })
  }

  /** Ref of a table. */
  tableRef(projectId: string, digest: string): string {
    return this.refs.table(projectId, digest)
  }

  /** Stores a source; returns the `files` member of the object it belongs to. */
  async saveSource(writer: ProjectWriter, source: string): Promise<Members> {
    const blob = await this.files.receive(pieces(source))
    await this.files.create(writer, [{ blob, name: sourceName }])
    return { [sourceName]: blob.digest }
  }

  /** Content of an op with this source. */
  async opContent(writer: ProjectWriter, source: string): Promise<Members> {
    return this.objects.opContent(await this.saveSource(writer, source))
  }

  /** Stores an op; returns its ref. */
  async saveOp(writer: ProjectWriter, name: string, source: string): Promise<string> {
    const val = await this.opContent(writer, source)
    const { digest } = await this.objects.create(writer, { object_id: name, val })
    return this.refOf(writer.projectId, 'op', name, digest)
  }

  /** Ref of the latest version of an op, which is created with a placeholder source if missing. */
  async opNamed(writer: ProjectWriter, name: string): Promise<string> {
    const known = await this.objects.find(
      writer,
      { object_id: name, digest: 'latest', kind: 'op' },
      { metadata_only: true },
    )
    if (known === undefined || known.deleted_at !== null)
      return await this.saveOp(writer, name, placeholderSource(name))
    return this.refOf(writer.projectId, 'op', name, known.digest)
  }
}

/** Placeholder source of an op known only by name. */
export function placeholderSource(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1).replaceAll(/\W/g, '_')
  const method = /^[A-Za-z_]/.test(last) ? last : `op_${last}`
  return (
    `# The source of this op is not known; it was recorded through the API.\ndef ${method}(*args, ` +
    `**kwargs):\n    pass\n`
  )
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
