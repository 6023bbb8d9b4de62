import { Ajv } from 'ajv'
import { RE2JS } from 're2js'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'

/** The fault of a value; undefined if it is valid. */
export type SchemaCheck = (value: unknown) => string | undefined

/**
 * User patterns run in linear time (RE2), so that none can block the server. In the shape that Ajv
 * expects.
 */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(pattern)
    return { test: (text: string) => expression.matcher(text).find() }
  },
  { code: 'linearRegExp' },
)

/**
 * Compiles a user's JSON Schema; undefined if it is invalid or has more values than
 * `operationLimits.schemaValuesMax`. Unknown keywords and formats are ignored. References can
 * multiply the work of a validation without bound: after `operationLimits.schemaStepsMax` of them
 * it stops, and the value is invalid. See docs/decisions/052-user-json-schemas.md.
 *
 * @param dataVar name of the value in messages
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
      stepsLeft = operationLimits.schemaStepsMax
      try {
        return isValid(plainNumbers(value)) === true ? undefined : ajvTexts.errorsText(isValid.errors, { dataVar })
      } catch (cause) {
        // A schema that references itself for the same value overflows the stack.
        if (cause instanceof TooMuchWork || cause instanceof RangeError) return `${dataVar} takes too long to check`
        throw cause
      }
    }
  } catch {
    // Ajv and RE2 report an invalid schema in different ways.
    return undefined
  }
}

class TooMuchWork extends Error {}

/** Keyword beside each `$ref` that counts how often it is followed. */
const stepKeyword = 'tracelake:step'

const ajvTexts = new Ajv()

/**
 * A new instance each time: schemas of different users must not see each other's `$id`, nor
 * accumulate.
 */
function ajvWith(countStep: () => boolean): Ajv {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp: linearRegExp } })
  ajv.addKeyword({ keyword: stepKeyword, validate: countStep, before: '$ref' })
  // Ajv's implementation compares all pairs of items.
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

/** Equal texts for values that are equal in JSON Schema, regardless of member order. */
const canonicalText = (item: unknown): string =>
  JSON.stringify(item, (_name, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )

/** Members whose content is data, and members that hold schemas under user-defined names. */
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
 * A copy that counts its steps and validates synchronously (`$async` is specific to Ajv). The
 * declared draft is ignored: it makes no difference to common schemas, and Ajv knows only one by
 * name.
 *
 * @throws RangeError if it has too many values
 */
function prepareSchema(schema: object): object {
  let values = 0
  const count = () => {
    values++
    if (values > operationLimits.schemaValuesMax) throw new RangeError('The JSON Schema is too large')
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
  const copied = copy(schema, 'schema')
  if (typeof copied !== 'object' || copied === null) throw new TypeError('The copy of a JSON Schema is not an object')
  return copied
}

const contentOf = (name: string): 'schema' | 'schemas' | 'data' =>
  dataMembers.has(name) ? 'data' : namedMembers.has(name) ? 'schemas' : 'schema'
