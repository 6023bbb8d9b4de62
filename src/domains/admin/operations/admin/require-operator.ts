import type { Caller } from '../../../access/index.ts'

/** @throws DomainError Forbidden unless the caller is an admin with scope `*` */
export function requireOperator(caller: Caller): void {
  caller.requireOperator()
}

/** End of the descriptions of operations that call `requireOperator`. */
export const forOperators = 'Requires an admin key with scope `*`.'
