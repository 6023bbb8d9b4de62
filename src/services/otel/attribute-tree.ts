import { limits } from '../../limits.ts'
import { isJsonObject } from '../../model/json-value.ts'
import type { AttributeEntries } from '../../model/span.ts'
import { parseJsonText } from './json-text.ts'

/** An object that dots in attribute names have made. It has no prototype, which tells it from the JSON objects of users. */
type Branch = Record<string, unknown>

const newBranch = (): Branch => Object.create(null) as Branch
const isBranch = (value: unknown): value is Branch => isJsonObject(value) && Object.getPrototypeOf(value) === null

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
  let node = root
  let from = 0
  for (let level = 1; level < limits.attributeKeyDepthMax; level++) {
    const dot = key.indexOf('.', from)
    if (dot < 0) break
    const name = key.slice(from, dot)
    const child = Object.hasOwn(node, name) ? node[name] : undefined
    if (child === undefined) define(node, name, newBranch())
    else if (!isJsonObject(child)) break
    node = node[name] as Branch
    from = dot + 1
  }
  const name = key.slice(from)
  const present = Object.hasOwn(node, name) ? node[name] : undefined
  if (!isBranch(present)) define(node, name, value)
  else if (isJsonObject(value)) define(node, name, { ...value, ...present })
  else {
    define(node, name, value)
    for (const [inner, member] of Object.entries(present)) define(node, `${name}.${inner}`, member)
  }
}

/** By definition and not by assignment where it matters: a member may be called `__proto__`. */
function define(node: Branch, name: string, value: unknown): void {
  if (name !== '__proto__') node[name] = value
  else Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The name of an attribute, cut at its dots. */
export const keyPath = (key: string): readonly string[] => key.split('.')

/** The value or the group of that name; undefined where there is none. */
export function findInTree(root: Readonly<Branch>, path: readonly string[]): unknown {
  let node: unknown = root
  for (let level = 0; level < path.length; level++) {
    const object = node as Branch
    const name = path[level]!
    const child = Object.hasOwn(object, name) ? object[name] : undefined
    const isLast = level === path.length - 1
    if (isLast || !isJsonObject(child)) {
      if (isLast || child === undefined) return child ?? undefined
      const rest = path.slice(level).join('.')
      return Object.hasOwn(object, rest) ? (object[rest] ?? undefined) : undefined
    }
    node = child
  }
  return undefined
}

/** A value with groups such as `a.0.b`, `a.1.b` turned into lists. JSON that a user wrote stays as it is. */
export function withLists(value: unknown): unknown {
  if (!isBranch(value)) return value
  const names = Object.keys(value)
  if (names.length > 0 && names.every((name, index) => name === String(index)))
    return names.map((name) => withLists(value[name]))
  const copy = newBranch()
  for (const name of names) define(copy, name, withLists(value[name]))
  return copy
}
