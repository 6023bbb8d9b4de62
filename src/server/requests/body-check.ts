import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { violationsOf } from '../../domains/requests/index.ts'
import { ValidationError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'

/** Checks the bodies of an operation against their schema. */
export class BodyCheck {
  private readonly schema: TSchema
  private readonly compiled: TypeCheck<TSchema>
  /** Values of members that a body may omit; undefined if there are none. */
  private readonly defaults: object | undefined

  constructor(schema: TSchema) {
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
  complete(body: unknown): unknown {
    const whole = this.defaults === undefined ? body : { ...structuredClone(this.defaults), ...Object(body) }
    if (!this.compiled.Check(whole)) throw new ValidationError(violationsOf(this.schema, whole, 'body'))
    return whole
  }
}
