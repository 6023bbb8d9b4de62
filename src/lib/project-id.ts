import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { operationLimits } from './limits/operations.ts'

const part = `[A-Za-z0-9_.-](?:[A-Za-z0-9_. -]{0,${operationLimits.projectPartCharsMax - 2}}[A-Za-z0-9_.-])?`

const form = `^${part}/${part}$`

/**
 * `<entity>/<project>`; each part is 1–128 characters of letters, digits, `_`, `.`, `-`, and inner
 * spaces.
 */
export const ProjectId = Type.String({
  pattern: form,
  description: 'Project, as <entity>/<project>',
  examples: ['acme/support-bot'],
})

const projectIdForm = new RegExp(form)

/** Whether a text has the form of a project id. */
export const isProjectId = (text: string): boolean => projectIdForm.test(text)

/** The internal id of a project: base64url of its UTF-8 name. */
export function internalProjectId(projectId: string): string {
  const binary = Array.from(new TextEncoder().encode(projectId), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The project with an internal id; undefined for malformed ids. */
export function projectIdOf(internalId: string): string | undefined {
  try {
    const binary = atob(internalId.replaceAll('-', '+').replaceAll('_', '/'))
    const projectId = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    )
    // Only the canonical encoding is valid.
    return internalProjectId(projectId) === internalId ? projectId : undefined
  } catch {
    return undefined
  }
}

/** Whether `scope` is `*`, `<entity>` or `<entity>/<project>`. */
export function isScope(scope: string): boolean {
  // An entity has the form of the first half of a project id.
  return scope === '*' || Value.Check(ProjectId, scope.includes('/') ? scope : `${scope}/any`)
}

/** Whether `projectId` is covered by `scope`. */
export const scopeReaches = (scope: string, projectId: string): boolean =>
  scope === '*' || scope === projectId || projectId.startsWith(`${scope}/`)
