import type { ProjectWriter } from '../../access/index.ts'
import type { ObjectVersion } from '../model/objects.ts'
import type { Members, ObjectBuilder } from './object-builder.ts'
import type { SourcePlace } from './source-files.ts'

/** One kind of typed object, as data. */
export interface Family<Create> {
  /** Singular noun. */
  readonly one: string
  /** Class of its objects; undefined for ops. */
  readonly className: string | undefined
  /** Default name. */
  readonly defaultName: string
  /** Receipt member for the ref of the new version. */
  readonly refMember?: string
  /** Whether lists contain only latest versions. */
  readonly latestOnly: boolean
  /** Content of a new object; stores what it refers to first. @throws DomainError InvalidRequest */
  contentOf(builder: ObjectBuilder, writer: ProjectWriter, objectId: string, create: Create): Promise<Members>
  /** Location of the source of a version; undefined for families without source. */
  sourceOf?(version: ObjectVersion): SourcePlace
  /** Members shown of a version beside its name and number. @param source empty if there is none */
  shown(version: ObjectVersion, source: string): Members
}

/** Content of an object of a class, as written by the SDKs. */
export const classContent = (className: string, members: Members): Members => ({
  _type: className,
  _class_name: className,
  _bases: ['Object', 'BaseModel'],
  ...members,
})
