import { BoundedMap } from '../../kernel/bounded-map.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import { limits } from '../../limits.ts'
import type { AttributeEntries } from '../../wire/otlp/span.ts'
import { parseJsonText } from './json-text.ts'

/** An object that dots in attribute names have made. It has no prototype, which tells it from the JSON objects of users. */
type Branch = Record<string, unknown>

const newBranch = (): Branch => Object.create(null) as Branch
/** Whether a value is what dots in names have made, and no JSON of a user. */
export const isGroup = (value: unknown): value is Branch => isJsonObject(value) && Object.getPrototypeOf(value) === null

/**
 * Attributes as nested objects: `a.b` is member `b` of `a`. Text that holds a JSON object or array becomes that. Nothing is lost: where
 * `a` is a plain value and `a.b` is there too, the member is called `a.b`; where `a` is a JSON object, `b` goes into it.
 */
export function attributeTree(entries: AttributeEntries): Branch {
  const root = newBranch()
  for (const [key, value] of entries) put(root, key, parseJsonText(value))
  return root
}

function put(root: Branch, key: string, value: unknown): void {
  const path = pathOf(key)
  let node = root
  let level = 0
  for (; level < path.length - 1; level++) {
    const name = path[level]!
    const child = ownMember(node, name)
    if (child === undefined) {
      const branch = newBranch()
      define(node, name, branch)
      node = branch
    } else if (isJsonObject(child)) node = child
    else break
  }
  const name = level === path.length - 1 ? path[level]! : path.slice(level).join('.')
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
const paths = new BoundedMap<string, readonly string[]>(limits.cachedKeysMax)

/** The name of an attribute, cut at its dots, as far as dots make levels. */
function pathOf(key: string): readonly string[] {
  const known = paths.get(key)
  if (known !== undefined) return known
  const parts = key.split('.')
  const levels = limits.attributeKeyDepthMax
  const path = parts.length <= levels ? parts : [...parts.slice(0, levels - 1), parts.slice(levels - 1).join('.')]
  if (key.length <= limits.cachedKeyCharsMax) paths.set(key, path)
  return path
}

/** By definition and not by assignment where it matters: a member may be called `__proto__`. */
function define(node: Branch, name: string, value: unknown): void {
  if (name !== '__proto__') node[name] = value
  else Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * The value or the group of the name that `path` makes; undefined where there is none. For names of conventions only: it does not ask
 * whether an object has a member itself, which matters for names like `constructor`.
 */
export function findInTree(root: Readonly<Branch>, path: readonly string[]): unknown {
  let node = root
  for (let level = 0; level < path.length - 1; level++) {
    const child = node[path[level]!]
    if (child === undefined || child === null) return undefined
    // A plain value here means that the rest of the name has kept its dots.
    if (typeof child !== 'object' || Array.isArray(child)) return node[path.slice(level).join('.')] ?? undefined
    node = child as Branch
  }
  return node[path.at(-1)!] ?? undefined
}

/** A value with groups such as `a.0.b`, `a.1.b` turned into lists. JSON that a user wrote stays as it is. */
export function withLists(value: unknown): unknown {
  if (!isGroup(value)) return value
  const names = Object.keys(value)
  if (names.length > 0 && names.every((name, index) => name === String(index)))
    return names.map((name) => withLists(value[name]))
  const copy = newBranch()
  for (const name of names) define(copy, name, withLists(value[name]))
  return copy
}
