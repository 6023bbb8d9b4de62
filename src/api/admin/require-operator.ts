import type { Caller } from '../../foundation/access/caller.ts'

/** @throws DomainError Forbidden unless the key is an admin key with scope `*` */
export function requireOperator(caller: Caller): void {
  caller.requireEveryProject()
  caller.requireRole('admin')
}

/** End of the descriptions of operations that call `requireOperator`. */
export const forOperators = 'Requires an admin key with scope `*`.'
