import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DomainError, ValidationError } from '../../lib/errors.ts'
import { ProjectId } from '../../lib/project-id.ts'

/** Leading parameters of all `/v2/{entity}/{project}/…` paths. */
export const ProjectPath = Type.Object({ entity: Type.String(), project: Type.String() })
export type ProjectPath = Static<typeof ProjectPath>

/**
 * The project in the path.
 *
 * @throws ValidationError if the path contains no valid project; DomainError InvalidRequest if a
 *   body names another project
 */
export function projectOfPath(
  { entity, project }: ProjectPath,
  bodies: readonly { readonly project_id?: string | undefined }[] = [],
): string {
  const projectId = `${entity}/${project}`
  if (!Value.Check(ProjectId, projectId)) {
    throw new ValidationError([
      { loc: ['path', 'project'], msg: 'Expected an entity and a project', type: 'string_pattern_mismatch' },
    ])
  }
  for (const body of bodies) checkProjectOfBody(body, projectId)
  return projectId
}

/** @throws DomainError InvalidRequest if a body names another project than the path */
export function checkProjectOfBody({ project_id: own }: { project_id?: string | undefined }, projectId: string): void {
  if (own !== undefined && own !== projectId) {
    throw new DomainError(
      'InvalidRequest',
      `\`project_id\` "${own}" does not match the project in the path, "${projectId}"`,
    )
  }
}
