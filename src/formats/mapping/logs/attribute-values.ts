import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { findInTree } from '../spans/attribute-tree.ts'

type Tree = Readonly<Record<string, unknown>>

/** The value of an attribute; undefined if it is missing or null. */
export const valueIn = (tree: Tree, name: string): unknown => findInTree(tree, name.split('.')) ?? undefined

/** A text that is not empty. */
export function textIn(tree: Tree, name: string): string | undefined {
  const value = valueIn(tree, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A finite number, also as text. */
export function numberIn(tree: Tree, name: string): number | undefined {
  const value = valueIn(tree, name)
  const given = isRawNumber(value) ? value.rawJSON : value
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Whether a flag is set, also as text. */
export function isSet(tree: Tree, name: string): boolean {
  const value = valueIn(tree, name)
  return value === true || value === 'true'
}

/** A text that a person or a model wrote, which may look like JSON and was parsed then. */
export function proseIn(tree: Tree, name: string): string | undefined {
  const value = valueIn(tree, name)
  if (typeof value === 'string') return value
  return Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : undefined
}
