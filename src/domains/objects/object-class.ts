import { customTypeMembers } from '../../formats/dialect/spellings.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { ClassRules } from './builtin/builtin-class.ts'
import { builtinClasses } from './builtin/index.ts'
import { normalised } from './builtin/normalise.ts'

/** What the content of an object says about its class. */
export interface ClassOf {
  readonly kind: 'op' | 'object'
  readonly base: string | null
  readonly leaf: string | null
}

/** Whether content is an op, by its `_type` or, for a custom value, by the type of that. */
function kindOf(val: unknown): 'op' | 'object' {
  if (!isJsonObject(val) || !Object.hasOwn(val, '_type')) return 'object'
  const custom = customTypeMembers.map((member) => val[member]).reduce((neutral, vendor) => neutral ?? vendor)
  const type = custom === undefined ? val['_type'] : isJsonObject(custom) ? custom['type'] : undefined
  return type === 'Op' ? 'op' : 'object'
}

/**
 * The classes in `_class_name` and `_bases` of content; undefined if it has none. @throws
 * DomainError InvalidRequest
 */
function hierarchyOf(val: unknown): { readonly base: string; readonly leaf: string } | undefined {
  if (!isJsonObject(val)) return undefined
  const bases = val['_bases']
  if (!Array.isArray(bases) || bases.length < 2) return undefined
  const isClass = bases.at(-1) === 'BaseModel' && (bases.at(-2) === 'Object' || bases.at(-2) === 'BaseObject')
  if (!isClass) return undefined
  const leaf = val['_class_name']
  if (typeof leaf !== 'string') {
    throw new DomainError('InvalidRequest', 'Invalid `val`: an object with `_bases` must have a string `_class_name`')
  }
  const base: unknown = bases.length > 2 ? bases.at(-3) : leaf
  if (typeof base !== 'string') throw new DomainError('InvalidRequest', 'Invalid `val`: `_bases` must be strings')
  return { base, leaf }
}

/**
 * The content to store, with its classes. Content with a class is kept as it is; a plain object is
 * validated and completed by the rules of the requested class.
 *
 * @param className `builtin_object_class`
 * @throws DomainError InvalidRequest if the content does not match the class, or the class is
 *   unknown
 */
export async function classify(
  val: unknown,
  className: string | undefined,
  rules: ClassRules,
): Promise<{ val: unknown } & ClassOf> {
  const carried = hierarchyOf(val)
  if (carried !== undefined || className === undefined) {
    if (className !== undefined && carried !== undefined && className !== carried.leaf) {
      throw new DomainError(
        'InvalidRequest',
        `\`builtin_object_class\` ${quoted(className)} contradicts the class of \`val\`, ${quoted(carried.leaf)}`,
      )
    }
    return { val, kind: kindOf(val), base: carried?.base ?? null, leaf: carried?.leaf ?? null }
  }
  const builtin = builtinClasses.get(className)
  if (builtin === undefined) {
    throw new DomainError(
      'InvalidRequest',
      `Unknown class ${quoted(className)}; use one of ${[...builtinClasses.keys()].join(', ')}`,
    )
  }
  const complete = await normalised(builtin, val, rules)
  const hierarchy = hierarchyOf(complete)!
  return { val: complete, kind: kindOf(complete), ...hierarchy }
}
