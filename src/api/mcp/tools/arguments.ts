import { Type } from '@sinclair/typebox'
import { DomainError } from '../../../errors.ts'
import type { ProjectReader } from '../../../foundation/access/caller.ts'
import { ProjectId } from '../../../kernel/project-id.ts'
import type { ToolContext } from '../tool.ts'

/** Arguments that several tools have. Unknown ones are refused: a misspelled one would do harm. */
export const Arguments = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

export const project = Type.Optional(
  Type.Unsafe<string>({
    ...ProjectId,
    description: '`entity/project`; may be left out if the address or the key names one. `overview` lists them',
  }),
)

export const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 1024 }))

export const count = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ description, minimum: 1, maximum }))

export const time = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: ISO 8601, for example 2026-01-31T08:00:00Z` }))

/** @throws DomainError InvalidRequest if no project is named; Forbidden */
export function readerOf({ caller, defaultProject }: ToolContext, named: string | undefined): ProjectReader {
  return caller.read(projectIdOf({ caller, defaultProject }, named))
}

/** @throws DomainError InvalidRequest if no project is named */
export function projectIdOf(
  { caller, defaultProject }: Pick<ToolContext, 'caller' | 'defaultProject'>,
  named: string | undefined,
): string {
  const [scope = '', ...others] = caller.scopes
  const only = others.length === 0 && /^[^/*]+\/[^/]+$/.test(scope) ? scope : undefined
  const projectId = named ?? defaultProject ?? only
  if (projectId !== undefined) return projectId
  throw new DomainError('InvalidRequest', 'Name the `project` as "entity/project"; `overview` lists the projects')
}
