import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { Violation } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'

const bounds: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.IntegerMinimum,
  ValueErrorType.IntegerExclusiveMinimum,
  ValueErrorType.IntegerMaximum,
  ValueErrorType.NumberMinimum,
  ValueErrorType.NumberMaximum,
  ValueErrorType.StringMinLength,
  ValueErrorType.StringMaxLength,
  ValueErrorType.ArrayMinItems,
  ValueErrorType.ArrayMaxItems,
])

/**
 * Violations of `schema` by `value`: one per location, deepest cause first, at most
 * `requestLimits.violationsMax`. For unions, the variant that the value resembles most is reported.
 *
 * @param root first element of every `loc`: "body", "query", "path"
 */
export function violationsOf(schema: TSchema, value: unknown, root: string): Violation[] {
  const found = new Map<string, Violation>()
  // Lazily: a large body may have a million of them.
  for (const each of Value.Errors(schema, value)) {
    for (const error of causes([each])) {
      const loc = [root === 'params' ? 'path' : root, ...segments(error.path)]
      const key = loc.join('\0')
      if (!found.has(key)) found.set(key, { loc, ...describe(error) })
      if (found.size === requestLimits.violationsMax) return [...found.values()]
    }
  }
  return [...found.values()]
}

function firstOf(errors: Iterable<ValueError>): ValueError[] {
  const first: ValueError[] = []
  for (const error of errors) {
    first.push(error)
    if (first.length === requestLimits.variantErrorsMax) break
  }
  return first
}

function causes(errors: readonly ValueError[]): ValueError[] {
  return errors.flatMap((error) => {
    if (error.type !== ValueErrorType.Union) return [error]
    const variants = error.errors.map((variant) => causes(firstOf(variant)))
    // A value of the right type that exceeds a bound: report the bound, not the types.
    const bounded = variants.find((list) => list.length > 0 && list.every(({ type }) => bounds.has(type)))
    if (bounded) return bounded
    // The variant that the value resembles is violated only deep inside; the others are violated at
    // the top.
    const inside = variants.filter((list) => list.some((inner) => inner.path !== error.path))
    const [closest] = inside.sort((a, b) => shallowest(b) - shallowest(a) || a.length - b.length)
    return closest ?? [error]
  })
}

const shallowest = (errors: readonly ValueError[]): number =>
  Math.min(...errors.map((error) => segments(error.path).length))

function segments(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function describe(error: ValueError): { msg: string; type: string } {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { msg: 'Field required', type: 'missing' }
    case ValueErrorType.String:
      return { msg: 'Expected a string', type: 'string_type' }
    case ValueErrorType.Integer:
      return { msg: 'Expected an integer', type: 'int_type' }
    case ValueErrorType.Number:
      return { msg: 'Expected a number', type: 'float_type' }
    case ValueErrorType.Boolean:
      return { msg: 'Expected true or false', type: 'bool_type' }
    case ValueErrorType.Object:
      return { msg: 'Expected an object', type: 'dict_type' }
    case ValueErrorType.Array:
      return { msg: 'Expected an array', type: 'list_type' }
    case ValueErrorType.Literal:
      return { msg: `Expected ${JSON.stringify(error.schema['const'])}`, type: 'literal_error' }
    case ValueErrorType.StringPattern:
      return { msg: `Expected ${patternName(error.schema)}`, type: 'string_pattern_mismatch' }
    case ValueErrorType.StringFormat:
      return {
        msg: `Expected a string in ${error.schema['format']} format`,
        type: `${error.schema['format']}_format`,
      }
    case ValueErrorType.ObjectAdditionalProperties:
      return { msg: 'Unknown member', type: 'extra_forbidden' }
    case ValueErrorType.Union:
      return { msg: expectedOneOf(error), type: 'union_error' }
    default:
      return { msg: error.message, type: 'value_error' }
  }
}

/** Turns a schema description into the end of a sentence. Acronyms keep their capitals. */
const patternName = ({ description }: TSchema): string =>
  description?.replace(/^[A-Z](?=[a-z])/, (first: string) => first.toLowerCase()) ?? 'a different string format'

function expectedOneOf(error: ValueError): string {
  const names = formsOf(error.schema)
  return names.length === 0 ? 'Expected a different value' : `Expected ${[...new Set(names)].join(' or ')}`
}

function formsOf(schema: TSchema): string[] {
  const variants: readonly TSchema[] = schema['anyOf'] ?? []
  return variants.flatMap((variant) => {
    if ('anyOf' in variant) return formsOf(variant)
    return 'const' in variant
      ? JSON.stringify(variant['const'])
      : String(variant['format'] ?? variant['type'] ?? 'a different value')
  })
}
