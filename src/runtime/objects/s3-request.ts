import type { Waitable } from './object-store.ts'

/** One request to S3. */
export interface S3Request extends Waitable {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without the prefix of the store; undefined for the bucket. */
  readonly name: string | undefined
  /** What it is for, as messages say it: `read`. */
  readonly verb: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}
