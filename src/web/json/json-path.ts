import type { JsonDocument } from './json-document.ts'
import type { JsonNode } from './json-node.ts'
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
  const start = entries.key[index]!
  const end = entries.keyEnd[index]!
  if (start === end) return `[${index}]`
  const key = stringText(text, start, end, keyCharsMax)
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `.${key}` : `[${text.slice(start, end)}]`
}
