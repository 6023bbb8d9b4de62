import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'

const part = `[A-Za-z0-9_.-](?:[A-Za-z0-9_. -]{0,${limits.projectPartCharsMax - 2}}[A-Za-z0-9_.-])?`

/** `<entity>/<project>`; each part 1–128 characters of letters, digits, `_`, `.`, `-`, and spaces inside. */
export const ProjectId = Type.String({
  pattern: `^${part}/${part}$`,
  description: 'Project, as <entity>/<project>',
  examples: ['acme/support-bot'],
})

const projectIdForm = new RegExp(ProjectId.pattern!)

/** Whether a text has the form of a project. */
export const isProjectId = (text: string): boolean => projectIdForm.test(text)

/** Identifier of a project inside the server: base64url of its outside form (UTF-8). */
export function internalProjectId(projectId: string): string {
  const binary = Array.from(new TextEncoder().encode(projectId), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The project that an internal id stands for; undefined for text that is none. */
export function projectIdOf(internalId: string): string | undefined {
  try {
    const binary = atob(internalId.replaceAll('-', '+').replaceAll('_', '/'))
    const projectId = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    )
    // Exactly one id stands for a project.
    return internalProjectId(projectId) === internalId ? projectId : undefined
  } catch {
    return undefined
  }
}
