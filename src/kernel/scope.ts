import { Value } from '@sinclair/typebox/value'
import { ProjectId } from './project-id.ts'

/** Whether `scope` is `*`, `<entity>` or `<entity>/<project>`. */
export function isScope(scope: string): boolean {
  // An entity is written like the first half of a project.
  return scope === '*' || Value.Check(ProjectId, scope.includes('/') ? scope : `${scope}/any`)
}

/** Whether `projectId` lies inside `scope`. */
export const scopeReaches = (scope: string, projectId: string): boolean =>
  scope === '*' || scope === projectId || projectId.startsWith(`${scope}/`)
