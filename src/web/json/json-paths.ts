import type { JsonDocument } from './json-document.ts'
import type { JsonLine, JsonNode } from './json-node.ts'
import { stringText } from './string-text.ts'

/** Keys longer than this are cut in a path. */
const keyCharsMax = 1000

/** Path of an entry, such as `flights[0].date`; empty for the whole document. */
export function pathOf(document: JsonDocument, node: JsonNode, index: number): string {
  const steps: string[] = []
  let at = index
  for (let current: JsonNode | undefined = node; current?.parent; current = current.parent) {
    if (!current.lines) steps.push(stepOf(document, current, at))
    at = current.index
  }
  return steps.reverse().join('').replace(/^\./, '')
}

function stepOf({ text }: JsonDocument, { entries }: JsonNode, index: number): string {
  const start = entries.key.at(index)
  const end = entries.keyEnd.at(index)
  if (start === end) return `[${index}]`
  const key = stringText(text, start, end, keyCharsMax)
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `.${key}` : `[${text.slice(start, end)}]`
}

/** The entry that a line belongs to: lines of texts and closing brackets belong to their value. */
export function targetOf(line: JsonLine | undefined): { node: JsonLine['node']; index: number } {
  if (!line) throw new Error('A document without lines')
  const { node, index } = line
  if (index >= 0 && !node.lines && !node.media) return { node, index }
  return node.parent ? { node: node.parent, index: node.index } : { node, index: 0 }
}
