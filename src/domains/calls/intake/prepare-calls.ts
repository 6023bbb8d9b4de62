import type { Static, TSchema } from '@sinclair/typebox'
import { BodyCheck, parseBody } from '../../../formats/body/body-value.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { numberPlaces } from '../../../formats/dialect/number-places.ts'
import { renameFrom } from '../../../formats/dialect/rename.ts'
import { CallBatch, CompletedCallsOfPath } from '../../../formats/schemas/calls.ts'
import type { NumberPlace } from '../../../formats/wire/marked-numbers.ts'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { present } from '../../../lib/present.ts'
import { type CollectedCalls, collectCompleted, collectParts } from '../collect-calls.ts'
import { ContentSink } from '../contents.ts'
import type { PartOptions } from '../parts.ts'
import { encodeCalls } from './encode-calls.ts'
import type { CallsTask, PreparedCalls } from './intake-task.ts'

/**
 * Parses, checks and encodes the calls of a body. Returns undefined for a body that is not correct,
 * or costly to parse: the main thread then does the same work step by step and reports the fault.
 */
export async function prepareCalls(task: CallsTask): Promise<PreparedCalls | undefined> {
  try {
    return await prepare(task)
  } catch (cause) {
    if (cause instanceof DomainError || cause instanceof ValidationError || cause instanceof SyntaxError)
      return undefined
    throw cause
  }
}

async function prepare(task: CallsTask): Promise<PreparedCalls | undefined> {
  const { bytes, redact, userId, nowMs, marker, dialect, keepsContents } = task
  const { place, rename, check } = rulesOf(task)
  const value = await parseBody(bytes, {
    place,
    onOutlined: ({ valueBytes }) => {
      // The main thread has reserved no more.
      if (valueBytes > bytes.byteLength * requestLimits.quickBodyGrowth)
        throw new DomainError('RequestTooLarge', 'The value of the body is too large for a thread')
    },
  })
  if (!isJsonObject(value) || Object.hasOwn(value, '__proto__')) return undefined
  const sinks = new Map<string, PartOptions>()
  const optionsOf = (project: string): PartOptions => {
    const known = sinks.get(project)
    if (known !== undefined) return known
    const contents = keepsContents ? new ContentSink({ dialect: dialects[dialect] }) : undefined
    const options = { redact, userId, nowMs, contents, marker }
    sinks.set(project, options)
    return options
  }
  const collected = await collectBody(task, check.complete(rename(value)), optionsOf)
  const { rows } = collected
  if (rows.length === 0) return undefined
  return {
    ...encodeCalls(rows),
    projects: [...sinks].map(([project, { contents }]) => ({ projectId: project, files: contents?.files ?? [] })),
    answer: JSON.stringify(answerOf(task.kind, collected)),
  }
}

/** @param body a checked one */
async function collectBody(
  { kind, projectId }: CallsTask,
  body: unknown,
  optionsOf: (projectId: string) => PartOptions,
): Promise<CollectedCalls> {
  if (kind === 'parts') return await collectParts((body as Static<typeof CallBatch>).batch, optionsOf)
  const project = present(projectId, 'The project of completed calls')
  return await collectCompleted((body as Static<typeof CompletedCallsOfPath>).batch, project, optionsOf(project))
}

const answerOf = (kind: CallsTask['kind'], { results }: CollectedCalls) => (kind === 'parts' ? { res: results } : {})

interface BodyRules {
  readonly place: NumberPlace
  readonly rename: (body: unknown) => unknown
  readonly check: BodyCheck
}

const schemas: Record<CallsTask['kind'], TSchema> = { parts: CallBatch, completed: CompletedCallsOfPath }
const rules = new Map<string, BodyRules>()

function rulesOf({ kind, bodyDialect }: CallsTask): BodyRules {
  const key = `${kind} ${bodyDialect}`
  const known = rules.get(key)
  if (known !== undefined) return known
  const schema = schemas[kind]
  const rename = renameFrom(bodyDialect, schema)
  const found = {
    place: numberPlaces(schema),
    rename: rename ?? ((body: unknown) => body),
    check: new BodyCheck(schema),
  }
  rules.set(key, found)
  return found
}
