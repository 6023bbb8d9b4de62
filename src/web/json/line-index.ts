import { itemAt } from '../../lib/present.ts'
import { type JsonLine, type JsonNode, placeOf } from './json-node.ts'
import { Positions } from './scan.ts'

/** Lines that a picture or a player takes. */
export const mediaLines = 9

/** Maps lines of a document to entries, on demand. */
export class LineIndex {
  private readonly counts = new Map<JsonNode, { readonly own: number; readonly before: Positions }>()
  private readonly top: JsonNode

  constructor(top: JsonNode) {
    this.top = top
  }

  /** Forgets the counts, after entries appeared, opened or closed. */
  clear(): void {
    this.counts.clear()
  }

  /** The line with the given number, counted from 0. */
  lineAt(number: number): JsonLine | undefined {
    let node = this.top
    let rest = number
    for (;;) {
      const { own, before } = this.countsOf(node)
      const { opened } = node
      // Last opened entry whose own line comes before the wanted one.
      let low = 0
      let high = opened.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (itemAt(opened, middle).index + before.at(middle) < rest) low = middle + 1
        else high = middle
      }
      const child = opened[low - 1]
      if (child) {
        const first = child.index + before.at(low - 1) + 1
        const inside = this.countLines(child)
        if (rest < first + inside) {
          node = child
          rest -= first
          continue
        }
        rest -= before.at(low - 1) + inside
      }
      if (rest < own) return { node, index: rest, depth: node.depth + 1 }
      return rest === own && node.parent ? { node, index: -1, depth: node.depth } : undefined
    }
  }

  /** Number of the line that shows an entry of an opened node. */
  lineNumberOf(node: JsonNode, index: number): number {
    let number = 0
    let at = index
    for (let current = node; ; ) {
      const place = placeOf(current.opened, at)
      number += at + this.countsOf(current).before.at(place)
      if (!current.parent) return number
      number++
      at = current.index
      current = current.parent
    }
  }

  /** Lines of a node with those of opened nodes inside it. */
  countLines(node: JsonNode): number {
    const { own, before } = this.countsOf(node)
    const isContainer = node.scan !== undefined
    return own + before.at(node.opened.length) + (isContainer ? 1 : 0)
  }

  private countsOf(node: JsonNode) {
    const known = this.counts.get(node)
    if (known) return known
    const before = new Positions()
    let lines = 0
    before.add(lines)
    for (const child of node.opened) {
      lines += this.countLines(child)
      before.add(lines)
    }
    const counts = { own: node.media ? mediaLines : (node.lines?.length ?? node.entries.length), before }
    this.counts.set(node, counts)
    return counts
  }
}
