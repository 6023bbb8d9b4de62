import type { ProjectReader } from '../../access/index.ts'

/** The parts of an object version that the engine uses. */
export interface SourceObject {
  /** The ref with the digest of the content, whatever version was requested. */
  readonly ref: string
  readonly name: string
  /** Number of the version, if it is one. */
  readonly version?: number
  /** Class of the object itself; null if unspecified. */
  readonly className: string | null
  /** Base class, for example `Model` or `Scorer`. */
  readonly baseClassName: string | null
  readonly val: unknown
}

/** Resolves object refs. */
export interface ObjectSource {
  /**
   * @throws DomainError InvalidRequest if `ref` is not an object of the project; NotFound if it
   *   does not exist
   */
  read(reader: ProjectReader, ref: string): Promise<SourceObject>
}
