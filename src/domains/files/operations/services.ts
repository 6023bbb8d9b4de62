import type { Files } from '../files.ts'

/** The services that these operations are given. */
export interface FilesServices {
  readonly files: Files
}
