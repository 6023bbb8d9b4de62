import type { ProjectWriter } from '../../foundation/access/caller.ts'

/** Finds what the calls of an evaluation are named after. */
export interface OpNames {
  /** `op_name` of a call of the op `name`: a ref to it, which is made where there is none yet, or the bare name. */
  nameOf(writer: ProjectWriter, name: string): Promise<string>
}
