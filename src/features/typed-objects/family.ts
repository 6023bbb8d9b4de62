import type { ProjectWriter } from '../../foundation/access/caller.ts'
import type { ObjectVersion } from '../../model/objects.ts'
import type { Members } from './members.ts'
import type { ObjectBuilder } from './object-builder.ts'
import type { SourcePlace } from './source-files.ts'

/** One kind of versioned object, as data: what tells it from the other kinds. */
export interface Family<Create> {
  /** What one of them is called. */
  readonly one: string
  /** Class of its objects; undefined for ops. */
  readonly className: string | undefined
  /** Name of one that was given none. */
  readonly defaultName: string
  /** Member of the receipt that holds the ref of the new version. */
  readonly refMember?: string
  /** Whether lists have the latest versions only. */
  readonly latestOnly: boolean
  /** Content of a new object; what it points at is stored first. @throws DomainError InvalidRequest */
  contentOf(builder: ObjectBuilder, writer: ProjectWriter, objectId: string, create: Create): Promise<Members>
  /** Where the source of a version is; undefined for families that show none. */
  sourceOf?(version: ObjectVersion): SourcePlace
  /** What a version shows beside its name and number. @param source an empty text where there is none */
  shown(version: ObjectVersion, source: string): Members
}

/** Content of an object of a class, as client packages write it. */
export const classContent = (className: string, members: Members): Members => ({
  _type: className,
  _class_name: className,
  _bases: ['Object', 'BaseModel'],
  ...members,
})
