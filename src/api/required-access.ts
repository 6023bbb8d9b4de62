import { DomainError } from '../errors.ts'
import type { Caller } from '../foundation/access/caller.ts'
import type { Operation } from './operation.ts'

/**
 * Refuses a caller who may not call an operation, before the body of the request is read. The operation
 * itself checks the same, and what the body names.
 *
 * @param operation undefined for a path that is none
 * @param params the parameters of the path
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
