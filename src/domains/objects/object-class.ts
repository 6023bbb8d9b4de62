import { callsCatalog } from '../../engine/tables/calls-query.ts'
import { customTypeMembers } from '../../formats/dialect/spellings.ts'
import { DomainError, quoted, ValidationError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { present } from '../../lib/present.ts'
import { readQuery } from '../../query/table-plan.ts'
import type { ClassRules } from './builtin/builtin-class.ts'
import { builtinClasses } from './builtin/index.ts'
import { normalised } from './builtin/normalise.ts'

/**
 * Validates an object name: up to 128 letters and digits of any script, `_`, `.` and `-`.
 *
 * @throws DomainError InvalidField for an empty name or other characters, InvalidRequest if it is
 *   too long
 */
export function checkObjectId(objectId: string): void {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(objectId)) {
    throw new DomainError(
      'InvalidField',
      `Invalid object name ${quoted(objectId)}: use letters, digits, "_", "." and "-"`,
      { extras: { field: 'object_id' } },
    )
  }
  if ([...objectId].length > operationLimits.idCharsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid object name "${objectId.slice(0, 80)}…": use up to ${operationLimits.idCharsMax} characters`,
    )
  }
}

/** The classes that the content of an object names. */
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
  const hierarchy = present(hierarchyOf(complete), `The class of a complete ${className}`)
  return { val: complete, kind: kindOf(complete), ...hierarchy }
}

const monitorClasses: ReadonlySet<string | null> = new Set(['Monitor', 'ClassifierMonitor'])

/**
 * The `query` of a monitor selects the calls it applies to. An invalid one is rejected when the
 * monitor is saved; a value that is not a calls query at all is kept as it is.
 *
 * @throws DomainError InvalidField, InvalidRequest
 */
export function checkMonitorQuery(val: unknown, { base, leaf }: ClassOf): void {
  if (!monitorClasses.has(base) && !monitorClasses.has(leaf)) return
  if (!isJsonObject(val) || !isJsonObject(val['query'])) return
  try {
    readQuery(val['query'], callsCatalog)
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause
  }
}
