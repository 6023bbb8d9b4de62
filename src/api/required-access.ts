import { DomainError } from '../errors.ts'
import type { Caller } from '../foundation/access/caller.ts'
import type { Operation } from './operation.ts'

/**
 * Rejects a caller without permission for an operation before the body is read. The operation
 * checks the same again, and the projects named in the body.
 *
 * @param operation undefined for an unknown path
 * @param params path parameters
 * @throws DomainError Forbidden
 */
export function requireAccess(
  caller: Caller,
  operation: Operation | undefined,
  params: Readonly<Record<string, string>> = {},
): void {
  const { entity, project } = params
  if (entity !== undefined && project !== undefined) requireReach(caller, `${entity}/${project}`)
  if (caller.role === 'read' && operation?.readOnly !== true) caller.requireRole('write')
}

/** @throws DomainError Forbidden, the same whether or not the project exists */
export function requireReach(caller: Caller, projectId: string): void {
  if (!caller.reaches(projectId)) throw new DomainError('Forbidden', 'This API key has no access to the project')
}
