import type { Caller } from '../../domains/access/index.ts'
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
  if (entity !== undefined && project !== undefined) requireProjectAccess(caller, operation, `${entity}/${project}`)
  if (caller.role === 'read' && operation?.readOnly !== true) caller.requireRole('write')
}

/**
 * Rejects a caller without permission for an operation on a project that the request names.
 *
 * @throws DomainError Forbidden
 */
export function requireProjectAccess(caller: Caller, operation: Operation | undefined, projectId: string): void {
  caller.requireReach(projectId)
  // The role may differ between projects. `requireAccess` rejects one that is too low everywhere.
  if (caller.role !== 'read' && operation?.readOnly !== true) caller.write(projectId)
}
