import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { toNeutralName } from '../../../formats/dialect/names.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, objectInOrder, plainNumbers, rawNumber } from '../../../lib/json-value.ts'
import { present } from '../../../lib/present.ts'
import { pythonFloat } from '../../../runtime/python-json.ts'
import { type BuiltinClass, type ClassRules, type Model, modelOf } from './builtin-class.ts'

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
  if (!isJsonObject(given)) throw new TypeError(`Content of ${name} that passed the checks is not an object`)
  const complete = writeModel(schema, present(modelOf(schema), `The model of ${name}`), given, rules)
  const fault = await faultIn?.(complete, rules)
  if (fault !== undefined) throw new DomainError('ValidationError', `Invalid ${name}: ${fault}`)
  return complete
}

/** Renames members of models from either dialect to their neutral names. */
function withNeutralNames(schema: TSchema, value: unknown): unknown {
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf.reduce((given: unknown, variant) => withNeutralNames(variant, given), value)
  }
  if (KindGuard.IsArray(schema)) {
    return Array.isArray(value) ? value.map((item) => withNeutralNames(schema.items, item)) : value
  }
  if (!KindGuard.IsObject(schema) || modelOf(schema) === undefined || !isJsonObject(value)) return value
  const properties = new Map(Object.entries(schema.properties))
  const named = Object.entries(value).map(([name, member]): [string, unknown] => {
    const neutral = properties.has(toNeutralName(name)) ? toNeutralName(name) : name
    const property = properties.get(neutral)
    return [neutral, property === undefined ? member : withNeutralNames(property, member)]
  })
  return objectInOrder(named)
}

function write(schema: TSchema, value: unknown, rules: ClassRules): unknown {
  if (KindGuard.IsUnion(schema)) {
    const plain = plainNumbers(value)
    const variant = schema.anyOf.find((each) => Value.Check(each, plain))
    return write(present(variant, 'A variant that the content matches'), value, rules)
  }
  if (KindGuard.IsArray(schema) && Array.isArray(value)) {
    return value.map((item) => write(schema.items, item, rules))
  }
  if ('const' in schema) return schema['const']
  // Integers are written without a fraction and other numbers with one, however they were sent.
  if (schema['type'] === 'integer') return Number(plainNumbers(value))
  if (schema['type'] === 'number') return rawNumber(pythonFloat(Number(plainNumbers(value))))
  const model = modelOf(schema)
  return model !== undefined && KindGuard.IsObject(schema) && isJsonObject(value)
    ? writeModel(schema, model, value, rules)
    : value
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
