import type { ProjectReader } from '../../../foundation/access/caller.ts'

/** A version of an object, as far as running it needs to know. */
export interface SourceObject {
  /** The ref with the digest of the content, whatever version was asked for. */
  readonly ref: string
  readonly name: string
  /** Class of the object itself; null where it says none. */
  readonly className: string | null
  /** Class that it builds upon, `Model` or `Scorer` for example. */
  readonly baseClassName: string | null
  readonly val: unknown
}

/** Finds the objects that refs name. */
export interface ObjectSource {
  /** @throws DomainError InvalidRequest where `ref` names no object of the project; NotFound where there is none (any more) */
  read(reader: ProjectReader, ref: string): Promise<SourceObject>
}
