import type { TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toNeutralName } from '../../../formats/dialect/names.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, objectInOrder, plainNumbers, rawNumber } from '../../../lib/json-value.ts'
import { pythonFloat } from '../../../lib/python-json.ts'
import { type BuiltinClass, type ClassRules, type Model, modelMark } from './builtin-class.ts'

/**
 * Content as its class writes it: `_type`, fields in the order of the class with defaults,
 * `_class_name`, `_bases`; nested models likewise.
 *
 * @throws DomainError ValidationError if the content does not match the class
 */
export async function normalised(
  { name, schema, faultIn }: BuiltinClass,
  val: unknown,
  rules: ClassRules,
): Promise<Record<string, unknown>> {
  const given = withNeutralNames(schema, val)
  const plain = plainNumbers(given)
  const [error] = [...Value.Errors(schema, plain)]
  if (error !== undefined) {
    const place = error.path === '' ? 'val' : `val${error.path.replaceAll('/', '.')}`
    throw new DomainError('ValidationError', `Invalid ${name}: ${place}: ${error.message}`)
  }
  const complete = write(schema, given, rules) as Record<string, unknown>
  const fault = await faultIn?.(complete, rules)
  if (fault !== undefined) throw new DomainError('ValidationError', `Invalid ${name}: ${fault}`)
  return complete
}

/** Renames members of models from either dialect to their neutral names. */
function withNeutralNames(schema: TSchema, value: unknown): unknown {
  const variants = schema['anyOf'] as TSchema[] | undefined
  if (variants !== undefined) return variants.reduce((given, variant) => withNeutralNames(variant, given), value)
  if (schema['type'] === 'array') {
    return Array.isArray(value) ? value.map((item) => withNeutralNames(schema['items'] as TSchema, item)) : value
  }
  if (schema[modelMark] === undefined || !isJsonObject(value)) return value
  const { properties } = schema as TObject
  const named = Object.entries(value).map(([name, member]): [string, unknown] => {
    const neutral = Object.hasOwn(properties, toNeutralName(name)) ? toNeutralName(name) : name
    return [neutral, Object.hasOwn(properties, neutral) ? withNeutralNames(properties[neutral]!, member) : member]
  })
  return objectInOrder(named)
}

function write(schema: TSchema, value: unknown, rules: ClassRules): unknown {
  const variants = schema['anyOf'] as TSchema[] | undefined
  if (variants !== undefined) {
    const plain = plainNumbers(value)
    return write(variants.find((variant) => Value.Check(variant, plain))!, value, rules)
  }
  if (schema['type'] === 'array' && Array.isArray(value)) {
    return value.map((item) => write(schema['items'] as TSchema, item, rules))
  }
  if ('const' in schema) return schema['const']
  // Integers are written without a fraction and other numbers with one, however they were sent.
  if (schema['type'] === 'integer') return Number(plainNumbers(value))
  if (schema['type'] === 'number') return rawNumber(pythonFloat(Number(plainNumbers(value))))
  const model = schema[modelMark] as Model | undefined
  return model !== undefined && isJsonObject(value) ? writeModel(schema as TObject, model, value, rules) : value
}

function writeModel(
  schema: TObject,
  { name, bases }: Model,
  value: Record<string, unknown>,
  rules: ClassRules,
): Record<string, unknown> {
  const fields = Object.entries(schema.properties).map(([field, of]): [string, unknown] => {
    const given = Object.hasOwn(value, field) ? value[field] : structuredClone(of['default'])
    return [rules.dialect.nameOf(field), write(of, given, rules)]
  })
  const own = new Set(['_type', '_class_name', '_bases', ...Object.keys(schema.properties)])
  const others = schema['keepOthers'] === true ? Object.entries(value).filter(([key]) => !own.has(key)) : []
  const spelled = rules.dialect.className(name)
  return objectInOrder([['_type', spelled], ...fields, ...others, ['_class_name', spelled], ['_bases', bases]])
}
