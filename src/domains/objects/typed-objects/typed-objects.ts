import { DomainError, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import type { ObjectVersion } from '../model/objects.ts'
import { checkObjectId } from '../object-class.ts'
import { parseVersionSelector } from '../version-row.ts'
import type { Family } from './family.ts'
import type { Members, ObjectBuilder } from './object-builder.ts'

export interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/**
 * Versions of typed objects: the same objects that the SDKs read and write. See
 * docs/decisions/044-typed-objects.md.
 */
export class TypedObjects {
  private readonly builder: ObjectBuilder

  constructor(builder: ObjectBuilder) {
    this.builder = builder
  }

  /**
   * Stores a version after everything it refers to. Identical content is the same version.
   *
   * @throws DomainError InvalidRequest, InvalidField, ObjectNameTypeCollision
   */
  async create<Create extends { readonly name?: string | null | undefined }>(
    family: Family<Create>,
    writer: ProjectWriter,
    create: Create,
  ): Promise<Members> {
    const objectId = create.name == null ? family.defaultName : objectNameOf(create.name)
    // Validates before anything it refers to is stored.
    checkObjectId(objectId)
    const val = await family.contentOf(this.builder, writer, objectId, create)
    const made = await this.builder.objects.create(writer, { object_id: objectId, val })
    const { refMember } = family
    if (refMember === undefined) return { ...made }
    return { ...made, [refMember]: this.builder.refOf(writer.projectId, 'object', objectId, made.digest) }
  }

  /**
   * The version as JSON text. @throws DomainError NotFound, also if it belongs to another family;
   * ObjectDeleted
   */
  async read(family: Family<never>, reader: ProjectReader, objectId: string, digest: string): Promise<string> {
    const version = await this.builder.objects.read(reader, { object_id: objectId, digest, kind: kindOf(family) })
    if (!isOf(family, version)) throw notFound(family, objectId, digest)
    for await (const text of this.textsOf(family, reader, [version])) return text
    throw new Error('A version has no text')
  }

  /** Versions as JSON texts in batches, oldest first. @throws DomainError InvalidRequest */
  async *jsonLines(
    family: Family<never>,
    reader: ProjectReader,
    page: Page,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const request = { filter: filterOf(family), limit: page.limit ?? null, offset: page.offset ?? null }
    for await (const found of this.builder.objects.stream(reader, request, signal)) {
      for (let from = 0; from < found.length; from += operationLimits.familyPageMax) {
        let texts: string[] = []
        let chars = 0
        for await (const text of this.textsOf(
          family,
          reader,
          found.slice(from, from + operationLimits.familyPageMax),
        )) {
          texts.push(text)
          chars += text.length
          if (chars < operationLimits.contentsBatchBytes) continue
          yield texts
          texts = []
          chars = 0
        }
        if (texts.length > 0) yield texts
      }
    }
  }

  /**
   * Deletes all versions of an object, or those named; returns how many.
   *
   * @throws DomainError NotFound if any of them, or all, do not exist or belong to another family:
   *   then nothing is deleted
   */
  async delete(
    family: Family<never>,
    writer: ProjectWriter,
    objectId: string,
    names: readonly string[] = [],
  ): Promise<number> {
    const digests =
      names.length === 0
        ? await this.allOf(family, writer, objectId)
        : await this.named(family, writer, objectId, names)
    let deleted = 0
    for (let from = 0; from < digests.length; from += operationLimits.deleteVersionsMax) {
      const some = digests.slice(from, from + operationLimits.deleteVersionsMax)
      deleted += (await this.builder.objects.delete(writer, objectId, some)).length
    }
    return deleted
  }

  private async allOf(family: Family<never>, reader: ProjectReader, objectId: string): Promise<string[]> {
    const filter = { ...filterOf(family), latest_only: false, object_ids: [objectId] }
    const found = await this.builder.objects.query(reader, { filter, metadata_only: true })
    if (found.length === 0) throw notFound(family, objectId)
    return found.map(({ digest }) => digest)
  }

  private async named(
    family: Family<never>,
    reader: ProjectReader,
    objectId: string,
    names: readonly string[],
  ): Promise<string[]> {
    if (names.length > operationLimits.deleteVersionsMax) {
      throw new DomainError(
        'InvalidRequest',
        tooMany('versions to delete', names.length, operationLimits.deleteVersionsMax, ' per request'),
      )
    }
    const digests = new Set<string>()
    for (const digest of new Set(names)) {
      const name = { object_id: objectId, digest, kind: kindOf(family) }
      const version = await this.builder.objects.read(reader, name, { metadata_only: true })
      // An alias may have been moved meanwhile; a deletion must name the version.
      const isAlias = parseVersionSelector(digest).by === 'named' && version.digest !== digest
      if (isAlias || !isOf(family, version)) throw notFound(family, objectId, digest)
      digests.add(version.digest)
    }
    return [...digests]
  }

  /** Versions as JSON texts, one at a time: sources may be large. */
  private async *textsOf(
    family: Family<never>,
    reader: ProjectReader,
    versions: readonly ObjectVersion[],
  ): AsyncGenerator<string> {
    const { sourceOf } = family
    const sourceAt = sourceOf && (await this.builder.sources.find(reader, versions.map(sourceOf)))
    for (const version of versions) {
      const { object_id, digest, version_index, created_at } = version
      const source = sourceOf === undefined || sourceAt === undefined ? '' : await sourceAt(sourceOf(version))
      const shown = family.shown(version, source)
      yield JSON.stringify({ object_id, digest, version_index, created_at, ...shown })
    }
  }
}

const kindOf = ({ className }: Family<never>): 'op' | 'object' => (className === undefined ? 'op' : 'object')

const isOf = ({ className }: Family<never>, { kind, base_object_class }: ObjectVersion): boolean =>
  className === undefined ? kind === 'op' : kind === 'object' && base_object_class === className

const filterOf = ({ className, latestOnly }: Family<never>) =>
  className === undefined
    ? { is_op: true, latest_only: latestOnly }
    : { is_op: false, base_object_classes: [className], latest_only: latestOnly }

const notFound = ({ one }: Family<never>, objectId: string, digest?: string): DomainError => {
  const version = digest === undefined ? '' : `:${digest.slice(0, 80)}`
  return new DomainError('NotFound', `The ${one} "${objectId.slice(0, 80)}${version}" does not exist`)
}

/** Object name for a display name: lower case, `_` for spaces and slashes, no angle brackets. */
const objectNameOf = (name: string): string => name.toLowerCase().replaceAll(/[\s/]/g, '_').replaceAll(/[<>]/g, '')
