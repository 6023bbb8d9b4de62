import { internalProjectId } from './project-id.ts'

/** A ref taken apart: `ext:///entity/project/object/NAME:DIGEST`, `…/op/NAME:DIGEST`, `…/call/ID`. */
export interface ParsedRef {
  /** As the ref writes it: `entity/project`, or the internal id of a project. */
  readonly project: string
  readonly kind: string
  /** Name of the object or op, or id of the call. */
  readonly name: string
}

const outside = /^(?:ext|weave):\/\/\/([^/]+\/[^/]+)\/([^/]+)\/([^/:]+)/
const inside = /^(?:ext-internal|weave-trace-internal):\/\/\/([^/]+)\/([^/]+)\/([^/:]+)/

/** The parts of a ref in either scheme; undefined for other texts. */
export function parseRef(text: string): ParsedRef | undefined {
  const [, project, kind, name] = outside.exec(text) ?? inside.exec(text) ?? []
  if (project === undefined || kind === undefined || name === undefined) return undefined
  return { project: decoded(project), kind, name: decoded(name) }
}

/** Whether the ref points into the project. */
export const isOfProject = (ref: ParsedRef, projectId: string): boolean =>
  ref.project === projectId || ref.project === internalProjectId(projectId)

/** Id of the call that a ref names, where it is a call of the project. Call ids may hold a colon, which ends other names. */
export function callIdOf(text: string, projectId: string): string | undefined {
  const ref = parseRef(text)
  if (ref?.kind !== 'call' || !isOfProject(ref, projectId)) return undefined
  const id = /\/call\/([^/]+)/.exec(text)?.[1]
  return id === undefined ? undefined : decoded(id)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
