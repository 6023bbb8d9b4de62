import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { ValidationError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { parseFast } from '../wire/json-body.ts'
import { outlineJson } from '../wire/large-json/read-large-json.ts'
import type { NumberPlace } from '../wire/marked-numbers.ts'
import { violationsOf } from './violations.ts'

interface ParseOptions {
  /** Place of the body, by what its schema says. */
  readonly place: NumberPlace
  /** Called before a value of about this many bytes is built, by steps that yield to others. */
  readonly onOutlined: (outline: {
    readonly projectId: string | undefined
    readonly valueBytes: number
  }) => void | Promise<void>
}

/**
 * The JSON value of a body, on the main thread and in others.
 *
 * @throws SyntaxError if it is no JSON; DomainError RequestTooLarge for depth or size; whatever
 *   `onOutlined` throws
 */
export async function parseBody(bytes: Uint8Array, { place, onOutlined }: ParseOptions): Promise<unknown> {
  if (bytes.byteLength <= requestLimits.quickBodyBytesMax) {
    const value = parseFast(new TextDecoder().decode(bytes), requestLimits.jsonDepthMax, {
      exactNumbersMax: requestLimits.quickExactNumbersMax,
      root: place,
    })
    if (value !== undefined) return value
  }
  const outline = await outlineJson(bytes, {
    depthMax: requestLimits.jsonDepthMax,
    runBytes: requestLimits.jsonRunBytes,
    valueBytesMax: requestLimits.bodyValueBytesMax,
    reorderedMembersMax: requestLimits.reorderedMembersMax,
  })
  await onOutlined(outline)
  return await outline.parse(place)
}

/** Checks the bodies of an operation against their schema. */
export class BodyCheck<Schema extends TSchema = TSchema> {
  private readonly schema: Schema
  private readonly compiled: TypeCheck<Schema>
  /** Values of members that a body may omit; undefined if there are none. */
  private readonly defaults: object | undefined

  constructor(schema: Schema) {
    this.schema = schema
    this.compiled = TypeCompiler.Compile(schema)
    const defaults = schema['type'] === 'object' ? Value.Default(schema, {}) : undefined
    this.defaults = isJsonObject(defaults) && Object.keys(defaults).length > 0 ? defaults : undefined
  }

  /**
   * The body with the default values of omitted members.
   *
   * @throws ValidationError with at most `requestLimits.violationsMax` places, whatever the size of
   *   the body
   */
  complete(body: unknown): Static<Schema> {
    const whole: unknown = this.defaults === undefined ? body : { ...structuredClone(this.defaults), ...Object(body) }
    if (!this.compiled.Check(whole)) throw new ValidationError(violationsOf(this.schema, whole, 'body'))
    return whole
  }
}
