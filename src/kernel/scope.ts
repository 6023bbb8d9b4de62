import { Value } from '@sinclair/typebox/value'
import { ProjectId } from './project-id.ts'

/** Whether `scope` is `*`, `<entity>` or `<entity>/<project>`. */
export function isScope(scope: string): boolean {
  // An entity has the form of the first half of a project id.
  return scope === '*' || Value.Check(ProjectId, scope.includes('/') ? scope : `${scope}/any`)
}

/** Whether `projectId` is covered by `scope`. */
export const scopeReaches = (scope: string, projectId: string): boolean =>
  scope === '*' || scope === projectId || projectId.startsWith(`${scope}/`)
