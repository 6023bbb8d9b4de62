import { itemAt } from '../../lib/present.ts'
import type { EmbeddedMedia, StoredMedia } from './media.ts'
import type { ContainerScan, Entries } from './scan.ts'
import type { TextLines } from './text-lines.ts'

/** Strings longer than this are shown in part until they are opened. */
export const longStringChars = 240

/** An opened container or string, or the document itself (`parent` undefined). */
export interface JsonNode {
  readonly parent: JsonNode | undefined
  /** Entry of the parent that this node is the value of. */
  readonly index: number
  readonly depth: number
  readonly scan: ContainerScan | undefined
  readonly lines: TextLines | undefined
  /** Media of an opened string, if they are shown. */
  readonly media: EmbeddedMedia | StoredMedia | undefined
  readonly entries: Entries
  /** Opened entries by index. */
  readonly opened: JsonNode[]
}

/** One line of the view of a document. */
export interface JsonLine {
  readonly node: JsonNode
  /** Entry, or line of an opened string; -1 for the closing bracket. */
  readonly index: number
  readonly depth: number
}

/** Where the opened entry with that index is, or would be, among the opened ones. */
export function placeOf(opened: readonly JsonNode[], index: number): number {
  let low = 0
  let high = opened.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (itemAt(opened, middle).index < index) low = middle + 1
    else high = middle
  }
  return low
}

/** A node and all opened nodes inside it. */
export const countNodes = (node: JsonNode): number => node.opened.reduce((sum, child) => sum + countNodes(child), 1)
