/** What a store says of an object. */
export interface ObjectInfo {
  readonly name: string
  readonly bytes: number
  /** Changes with every put of the name (the ETag of S3). */
  readonly tag: string
  /** When it was put, by the clock of the store, if a listing says so. */
  readonly modifiedMs?: number | undefined
}

export interface StoredObject {
  /** The whole object, or the range that was asked for. */
  readonly bytes: Uint8Array
  readonly tag: string
}

/** A part of an object; it may reach beyond the end. */
export interface ByteRange {
  readonly start: number
  readonly length: number
}

/** When a put happens: if there is no object of that name, or if it still has that tag. */
export type PutCondition = { readonly ifAbsent: true } | { readonly ifMatch: string }

export interface Waitable {
  readonly signal?: AbortSignal | undefined
}

/**
 * Objects by name, in a bucket or in a folder. Names are `/`-separated words of ASCII letters,
 * digits, `.`, `_`, `=` and `-`, which do not begin with `.`. A put is atomic, and visible to every
 * get and list that begins after it. Every method rejects with `ObjectStoreError`. After the kinds
 * `slow` and `unreachable` it is unknown whether a put or a deletion has happened, or still will.
 */
export interface ObjectStore {
  /** As messages name it: `s3://bucket/prefix`, or the folder. */
  readonly place: string
  /** @throws ObjectStoreError absent */
  get(name: string, options?: Waitable & { readonly range?: ByteRange | undefined }): Promise<StoredObject>
  /** @returns undefined if there is no such object */
  head(name: string, options?: Waitable): Promise<ObjectInfo | undefined>
  /**
   * @returns the tag of the object
   * @throws ObjectStoreError lost-race if the condition does not hold
   */
  put(
    name: string,
    bytes: Uint8Array,
    options?: Waitable & { readonly when?: PutCondition | undefined },
  ): Promise<string>
  /** Puts an object of any size, of which only a part is in memory at a time. */
  putLarge(name: string, pieces: AsyncIterable<Uint8Array>, options?: Waitable): Promise<string>
  /** Deletes the object, if there is one. */
  delete(name: string, options?: Waitable): Promise<void>
  /**
   * The objects whose names begin with `prefix`, in ascending order of their bytes.
   *
   * @param options `after`: only names after this one
   */
  list(prefix: string, options?: Waitable & { readonly after?: string | undefined }): AsyncIterable<ObjectInfo>
}

export type ObjectErrorKind =
  /** There is no such object. */
  | 'absent'
  /** Another writer was first: the condition of a put does not hold. */
  | 'lost-race'
  /** The credentials are wrong, or may not do this. */
  | 'refused'
  /** The store asks for patience, or has an internal error. */
  | 'slow'
  /** No answer, or half of one. */
  | 'unreachable'
  | 'no-bucket'
  | 'wrong-region'
  | 'wrong-clock'
  /** The store does not have this operation. */
  | 'unsupported'
  /** The store's answer makes no sense. */
  | 'unexpected'

export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  readonly kind: ObjectErrorKind
  /** How long the store asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: ObjectErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

export const isObjectError = (cause: unknown, kind: ObjectErrorKind): cause is ObjectStoreError =>
  cause instanceof ObjectStoreError && cause.kind === kind

const nameForm = /^[\w=-][\w.=-]*(?:\/[\w=-][\w.=-]*)*$/
const nameCharsMax = 512

/** @throws TypeError if the name would mean something else in a folder or in a URL */
export function assertObjectName(name: string): void {
  if (name.length > nameCharsMax || !nameForm.test(name))
    throw new TypeError(`Not the name of an object: "${name.slice(0, nameCharsMax)}"`)
}
