import { findInTree } from '../spans/attribute-tree.ts'

/** A text among attributes that is not empty. */
export function textIn(tree: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = findInTree(tree, name.split('.'))
  return typeof value === 'string' && value !== '' ? value : undefined
}
