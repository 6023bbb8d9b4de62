import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { ToolContext } from '../tool.ts'

const project = Type.Optional(
  Type.Unsafe<string>({
    ...ProjectId,
    description: '`entity/project`; may be left out if the address or the key names one. `overview` lists them',
  }),
)

/**
 * Arguments of a tool: every tool takes `project`. Unknown ones are refused: a misspelled one would
 * do harm.
 */
export const Arguments = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object({ project, ...properties }, { additionalProperties: false })

export const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 1024 }))

/**
 * Key of the largest value of a number in its schema. Larger values are capped, not refused. A
 * symbol, so that clients do not see it and check numbers themselves.
 */
const largest = Symbol('largest')

const largestOf = (schema: TSchema & { readonly [largest]?: number }): number | undefined => schema[largest]

export const count = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ description: `${description}; at most ${maximum}`, minimum: 1, [largest]: maximum }))

/**
 * The arguments with numbers that are too large replaced by the largest allowed, and notes that say
 * so.
 */
export function cappedArguments(input: TObject, args: unknown): { args: unknown; notes: readonly string[] } {
  if (!isJsonObject(args)) return { args, notes: [] }
  const capped: Record<string, unknown> = { ...args }
  const notes: string[] = []
  for (const [name, schema] of Object.entries(input.properties)) {
    const given = args[name]
    const most = largestOf(schema)
    if (most === undefined || typeof given !== 'number' || !(given > most)) continue
    capped[name] = most
    notes.push(`\`${name}\` is ${most}, the maximum, instead of ${given}.`)
  }
  return { args: capped, notes }
}

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

/**
 * For tools whose answer is the same for every project. @throws DomainError Forbidden if a project
 * is named that the key cannot read
 */
export function requireAccess(context: ToolContext, named: string | undefined): void {
  if (named !== undefined) readerOf(context, named)
}
