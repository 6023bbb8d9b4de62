import type { ProjectWriter } from '../../foundation/access/caller.ts'
import type { PartOptions } from './parts.ts'

/** Options shared by all parts that one request writes to one project. */
export type WriteOptions = PartOptions & { readonly writer: ProjectWriter }
