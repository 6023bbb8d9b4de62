import type { JsonLine } from './json-node.ts'

/** The entry that a line belongs to: lines of texts and closing brackets belong to their value. */
export function targetOf(line: JsonLine | undefined): { node: JsonLine['node']; index: number } {
  if (!line) throw new Error('A document without lines')
  const { node, index } = line
  if (index >= 0 && !node.lines && !node.media) return { node, index }
  return node.parent ? { node: node.parent, index: node.index } : { node, index: 0 }
}
