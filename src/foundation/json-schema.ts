import { Ajv } from 'ajv'
import { RE2JS } from 're2js'
import { isJsonObject, plainNumbers } from '../kernel/json-value.ts'
import { limits } from '../limits.ts'

/** What is wrong with a value; undefined where nothing is. */
export type SchemaCheck = (value: unknown) => string | undefined

/** Patterns of users run in linear time (RE2), so that none can hold the server. Shaped as Ajv wants it. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(pattern)
    return { test: (text: string) => expression.matcher(text).find() }
  },
  { code: 'linearRegExp' },
)

/**
 * Prepares a JSON Schema of a user; undefined where it is none, or has more values than `limits.schemaValuesMax`. Unknown keywords and formats
 * are passed over. References inside a schema can multiply the work of a check without end: one that follows more than
 * `limits.schemaStepsMax` of them breaks off, and the value does not fit.
 *
 * @param dataVar how the value is called in what the check says
 */
export function compileJsonSchema(schema: unknown, dataVar = 'value'): SchemaCheck | undefined {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean') return undefined
  let stepsLeft = 0
  const countStep = () => {
    stepsLeft--
    if (stepsLeft < 0) throw new TooMuchWork()
    return true
  }
  try {
    const prepared = typeof schema === 'boolean' ? schema : prepareSchema(schema)
    const isValid = ajvWith(countStep).compile(prepared)
    return (value) => {
      stepsLeft = limits.schemaStepsMax
      try {
        return isValid(plainNumbers(value)) === true ? undefined : ajvTexts.errorsText(isValid.errors, { dataVar })
      } catch (cause) {
        // A schema that needs itself for the same value ends with the stack.
        if (cause instanceof TooMuchWork || cause instanceof RangeError) return `${dataVar} takes too long to check`
        throw cause
      }
    }
  } catch {
    // Ajv and RE2 say in different ways that the schema is none; that it is none is the answer.
    return undefined
  }
}

class TooMuchWork extends Error {}

/** Keyword beside each `$ref` that counts how often it is followed. */
const stepKeyword = 'tracelake:step'

const ajvTexts = new Ajv()

/** A new one each time: schemas of users must not see each other's `$id`, nor pile up. */
function ajvWith(countStep: () => boolean): Ajv {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp: linearRegExp } })
  ajv.addKeyword({ keyword: stepKeyword, validate: countStep, before: '$ref' })
  // Ajv compares each item with each other one.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not contain duplicate items' },
    validate: (isWanted: boolean, items: unknown[]) => !isWanted || areDistinct(items),
  })
  return ajv
}

const areDistinct = (items: readonly unknown[]): boolean => new Set(items.map(canonicalText)).size === items.length

/** The same text for values that are equal in JSON Schema, which knows no order of members. */
const canonicalText = (item: unknown): string =>
  JSON.stringify(item, (_name, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )

/** Members whose content is data, not schemas; and those that hold schemas under names of the user's own. */
const dataMembers: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
const namedMembers: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
  'dependentSchemas',
])

/**
 * A copy that counts its steps and answers at once (`$async` is Ajv's own). Which draft the schema names makes no difference to what people
 * write in it; only one is known by its name.
 *
 * @throws RangeError where it has more values than are allowed
 */
function prepareSchema(schema: object): object {
  let values = 0
  const count = () => {
    values++
    if (values > limits.schemaValuesMax) throw new RangeError('The JSON Schema is too large')
  }
  const copy = (value: unknown, holds: 'schema' | 'schemas' | 'data'): unknown => {
    count()
    if (Array.isArray(value)) return value.map((item) => copy(item, holds))
    if (!isJsonObject(value)) return plainNumbers(value)
    const members = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      copy(member, holds === 'schema' ? contentOf(name) : holds === 'schemas' ? 'schema' : 'data'),
    ])
    if (holds !== 'schema') return Object.fromEntries(members)
    const kept = members.filter(([name]) => name !== '$schema' && name !== '$async' && name !== stepKeyword)
    return Object.fromEntries(typeof value['$ref'] === 'string' ? [[stepKeyword, true], ...kept] : kept)
  }
  return copy(schema, 'schema') as object
}

const contentOf = (name: string): 'schema' | 'schemas' | 'data' =>
  dataMembers.has(name) ? 'data' : namedMembers.has(name) ? 'schemas' : 'schema'
