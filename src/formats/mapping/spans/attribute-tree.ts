import { BoundedMap } from '../../../lib/bounded-map.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { itemAt } from '../../../lib/present.ts'
import { parseJsonExactly } from '../../wire/json-body.ts'
import type { AttributeEntries } from '../../wire/otlp/span.ts'

/**
 * Parses a JSON text of any kind with numbers preserved; returns other values and texts unchanged.
 */
export function parseAnyJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJsonExactly(value, telemetryLimits.attributeTextDepthMax)
  } catch {
    // Text that was not JSON-encoded by its writer.
    return value
  }
}

/**
 * Parses a text that contains a JSON object or array, with numbers and member order preserved;
 * returns other values, and text that is not JSON or nested too deeply, unchanged.
 */
export function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length < 2) return value
  const first = value.charCodeAt(0)
  const last = value.charCodeAt(value.length - 1)
  const looksLikeJson = (first === 123 && (last === 125 || last <= 32)) || (first === 91 && (last === 93 || last <= 32))
  if (!looksLikeJson) return value
  try {
    return parseJsonExactly(value, telemetryLimits.attributeTextDepthMax)
  } catch {
    // Bracketed text that is not JSON stays text.
    return value
  }
}

/**
 * An object created from dotted attribute names. It has no prototype, which distinguishes it from
 * users' JSON objects.
 */
type Branch = Record<string, unknown>

const newBranch = (): Branch => Object.create(null)
/** Whether a value was created from dotted names and is not a user's JSON. */
export const isGroup = (value: unknown): value is Branch =>
  // The prototype first: raw numbers have none either, but asking for them costs more.
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null && isJsonObject(value)

/**
 * Attributes as nested objects: `a.b` is member `b` of `a`. Text that contains a JSON object or
 * array is parsed. Nothing is lost: if `a` is a plain value, `a.b` is kept as a member of that
 * name; if `a` is a JSON object, `b` is merged into it.
 *
 * @param parsed receives the names of the attributes whose text was parsed
 */
export function attributeTree(entries: AttributeEntries, parsed?: string[]): Branch {
  const root = newBranch()
  for (const [key, text] of entries) {
    const value = parseJsonText(text)
    if (value !== text) parsed?.push(key)
    put(root, key, value)
  }
  return root
}

function put(root: Branch, key: string, value: unknown): void {
  const path = pathOf(key)
  let node = root
  let level = 0
  for (; level < path.length - 1; level++) {
    const name = itemAt(path, level)
    const child = ownMember(node, name)
    if (child === undefined) {
      const branch = newBranch()
      define(node, name, branch)
      node = branch
    } else if (isJsonObject(child)) node = child
    else break
  }
  const name = level === path.length - 1 ? itemAt(path, level) : path.slice(level).join('.')
  const present = ownMember(node, name)
  if (present === undefined || !isGroup(present)) define(node, name, value)
  else if (isJsonObject(value)) define(node, name, { ...value, ...present })
  else {
    define(node, name, value)
    for (const [inner, member] of Object.entries(present)) define(node, `${name}.${inner}`, member)
  }
}

const ownMember = (node: Branch, name: string): unknown => (Object.hasOwn(node, name) ? node[name] : undefined)

/** Names repeat from span to span. */
const paths = new BoundedMap<string, readonly string[]>(telemetryLimits.cachedKeysMax)

/** Splits an attribute name at its dots, up to the maximum depth. */
function pathOf(key: string): readonly string[] {
  const known = paths.get(key)
  if (known !== undefined) return known
  const parts = key.split('.')
  const levels = telemetryLimits.attributeKeyDepthMax
  const path = parts.length <= levels ? parts : [...parts.slice(0, levels - 1), parts.slice(levels - 1).join('.')]
  if (key.length <= telemetryLimits.cachedKeyCharsMax) paths.set(key, path)
  return path
}

/** By definition instead of assignment where it matters: a member may be named `__proto__`. */
function define(node: Branch, name: string, value: unknown): void {
  if (name !== '__proto__') node[name] = value
  else Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * The value or group at `path`, which may lead through JSON; undefined if there is none. For names
 * of conventions only: does not check for own members, which matters for names like `constructor`.
 */
export function findInTree(root: Readonly<Branch>, path: readonly string[]): unknown {
  let node = root
  for (let level = 0; level < path.length - 1; level++) {
    const child = node[itemAt(path, level)]
    if (child === undefined || child === null) return undefined
    // A plain value here means that the rest of the name kept its dots.
    if (!isHolder(child) || (Array.isArray(child) && !isIndex(itemAt(path, level + 1))))
      return node[path.slice(level).join('.')] ?? undefined
    node = child
  }
  return node[itemAt(path, path.length - 1)] ?? undefined
}

/** The object that has the last name of `path` as its own member; undefined if there is none. */
export function findOwner(root: Readonly<Branch>, path: readonly string[]): Branch | undefined {
  let node: Branch = root
  for (let level = 0; level < path.length - 1; level++) {
    const child = ownMember(node, itemAt(path, level))
    if (!isJsonObject(child)) return undefined
    node = child
  }
  return Object.hasOwn(node, itemAt(path, path.length - 1)) ? node : undefined
}

/** An object, or an array, whose elements have their indexes as names. */
const isHolder = (value: unknown): value is Branch => typeof value === 'object' && value !== null

const isIndex = (name: string): boolean => name.length === 1 && name >= '0' && name <= '9'

/** Turns groups such as `a.0.b`, `a.1.b` into lists. Users' JSON is not changed. */
export function withLists(value: unknown): unknown {
  if (!isGroup(value)) return value
  const names = Object.keys(value)
  if (names.length > 0 && names.every((name, index) => name === String(index)))
    return names.map((name) => withLists(value[name]))
  const copy = newBranch()
  for (const name of names) define(copy, name, withLists(value[name]))
  return copy
}
