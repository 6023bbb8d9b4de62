import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { numberPlaces } from '../../../formats/dialect/number-places.ts'
import { compileRename } from '../../../formats/dialect/rename.ts'
import {
  CallBatch,
  type CallBatchItem,
  type CompletedCall,
  CompletedCallsOfPath,
} from '../../../formats/schemas/calls.ts'
import { parseFast } from '../../../formats/wire/json-body.ts'
import { outlineJson } from '../../../formats/wire/large-json/read-large-json.ts'
import type { NumberPlace } from '../../../formats/wire/marked-numbers.ts'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { DialectName } from '../../../runtime/config/configuration.ts'
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
  const { kind, bytes, projectId, userId, nowMs, redact, keepsContents, marker, dialect, bodyDialect } = task
  const { place, rename, check } = bodyOf(kind, bodyDialect)
  const value = await parse(bytes, place)
  if (!isJsonObject(value) || Object.hasOwn(value, '__proto__')) return undefined
  const body = rename === undefined ? value : rename(value)
  if (!check(body)) return undefined
  const { batch } = body as { readonly batch: readonly unknown[] }
  if (kind === 'completed' && !(batch as readonly SentCall[]).every((call) => isOf(call, projectId!))) return undefined
  const sinks = new Map<string, PartOptions>()
  const optionsOf = (project: string): PartOptions => {
    const known = sinks.get(project)
    if (known !== undefined) return known
    const contents = keepsContents ? new ContentSink({ dialect: dialects[dialect] }) : undefined
    const options = { redact, userId, nowMs, contents, marker }
    sinks.set(project, options)
    return options
  }
  const collected =
    kind === 'parts'
      ? await collectParts(batch as readonly CallBatchItem[], optionsOf)
      : await collectCompleted(batch as readonly CompletedCall[], projectId!, optionsOf(projectId!))
  const { rows } = collected
  if (rows.length === 0) return undefined
  return {
    ...encodeCalls(rows),
    projects: [...sinks].map(([project, { contents }]) => ({ projectId: project, files: contents?.files ?? [] })),
    answer: JSON.stringify(answerOf(kind, collected)),
  }
}

/** A completed call as it is sent; it need not name the project of the path. */
type SentCall = Omit<CompletedCall, 'project_id'> & { readonly project_id?: string }

const isOf = ({ project_id: own }: SentCall, projectId: string): boolean => own === undefined || own === projectId

async function parse(bytes: Uint8Array, place: NumberPlace): Promise<unknown> {
  if (bytes.byteLength <= requestLimits.quickBodyBytesMax)
    return parseFast(new TextDecoder().decode(bytes), requestLimits.jsonDepthMax, {
      exactNumbersMax: requestLimits.quickExactNumbersMax,
      root: place,
    })
  const outline = await outlineJson(bytes, {
    depthMax: requestLimits.jsonDepthMax,
    runBytes: requestLimits.jsonRunBytes,
    valueBytesMax: requestLimits.bodyValueBytesMax,
    reorderedMembersMax: requestLimits.reorderedMembersMax,
  })
  // What the main thread has reserved.
  return outline.valueBytes > bytes.byteLength * requestLimits.quickBodyGrowth ? undefined : await outline.parse(place)
}

const answerOf = (kind: CallsTask['kind'], { results }: CollectedCalls) => (kind === 'parts' ? { res: results } : {})

interface BodyRules {
  readonly place: NumberPlace
  readonly rename: ((body: unknown) => unknown) | undefined
  readonly check: (body: unknown) => boolean
}

const schemas: Record<CallsTask['kind'], TSchema> = { parts: CallBatch, completed: CompletedCallsOfPath }
const rules = new Map<string, BodyRules>()

function bodyOf(kind: CallsTask['kind'], dialect: DialectName): BodyRules {
  const key = `${kind} ${dialect}`
  const known = rules.get(key)
  if (known !== undefined) return known
  const schema = schemas[kind]
  const compiled = TypeCompiler.Compile(schema)
  const found = {
    place: numberPlaces(schema),
    rename: dialect === 'weave' ? compileRename(schema, 'to neutral') : undefined,
    check: (body: unknown) => compiled.Check(body),
  }
  rules.set(key, found)
  return found
}
