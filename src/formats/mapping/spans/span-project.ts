import { operationLimits } from '../../../lib/limits/operations.ts'
import type { AttributeEntries } from '../../wire/otlp/span.ts'
import { projectKeys } from '../conventions/own.ts'

/** The sender's default project, for spans whose resource names none. */
export interface ProjectHints {
  /** The project that the request names. */
  readonly named: string | undefined
  /** Entity of projects that are named after a service. */
  readonly entity: string | undefined
}

/** The project of the spans of a resource, which may be malformed; undefined if none is given. */
export const projectOfSpans = (resource: AttributeEntries, { named, entity }: ProjectHints): string | undefined =>
  projectOfResource(resource) ?? named ?? projectOfService(entity, resource)

function projectOfResource(attributes: AttributeEntries): string | undefined {
  const text = (name: string) => textOf(attributes, name)
  for (const keys of projectKeys) {
    const entity = text(keys.entity)
    const project = text(keys.project)
    if (entity !== undefined && project !== undefined) return `${entity}/${project}`
  }
  return undefined
}

function projectOfService(entity: string | undefined, attributes: AttributeEntries): string | undefined {
  if (entity === undefined) return undefined
  // The second is what SDKs call a service without a name.
  return `${entity}/${projectNameOf(textOf(attributes, 'service.name') ?? 'unknown_service')}`
}

/** A valid project name that resembles the name of a service. */
function projectNameOf(service: string): string {
  const name = service.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').slice(0, operationLimits.projectPartCharsMax)
  // Paths with these would lead elsewhere.
  return /^\.+$/.test(name) ? name.replaceAll('.', '-') : name
}

function textOf(attributes: AttributeEntries, name: string): string | undefined {
  const value = attributes.findLast(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : undefined
}
