import { type EmbeddedMedia, embeddedMedia, type StoredMedia } from './media.ts'
import { pause, workMs } from './pause.ts'
import { ContainerScan, Entries, skipSpace, typeAt } from './scan.ts'
import { TextLines } from './text-lines.ts'

/** Members of one container that are listed. */
const entriesMax = 500_000
/** Lines that a picture or a player takes. */
export const mediaLines = 9
/** Containers and strings open at a time. */
const openNodesMax = 5_000
const scanChars = 128 * 1024
/** Media of more characters are shown when they are asked for. */
const mediaCharsAtFirst = 1_500_000
const mediaAtFirst = 8
const digestCharsMax = 100

/** An opened container or string, or the document itself (`parent` undefined). */
export interface JsonNode {
  readonly parent: JsonNode | undefined
  /** Entry of the parent that this node is the value of. */
  readonly index: number
  readonly depth: number
  readonly scan: ContainerScan | undefined
  readonly lines: TextLines | undefined
  /** What an opened string holds, if it is shown as media. */
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

/**
 * JSON text as lines that open and close. Only opened containers are looked at, one level each, and
 * in pieces: `onChange` is called as lines appear. Nothing is parsed, so numbers, order and
 * duplicate keys stay as they were sent.
 */
export class JsonDocument {
  readonly top: JsonNode
  text: string
  /** Columns at which opened strings wrap. */
  columns: number
  private readonly onChange: () => void
  private readonly pending: JsonNode[] = []
  private readonly counts = new Map<JsonNode, { readonly own: number; readonly before: Uint32Array }>()
  private working: Promise<void> | undefined
  private openNodes = 0
  private isClosed = false

  constructor(text: string, { columns = 100, onChange = () => {} }: { columns?: number; onChange?(): void } = {}) {
    this.text = text
    this.columns = columns
    this.onChange = onChange
    const entries = new Entries()
    const start = skipSpace(text, 0)
    entries.add(start, start, start)
    entries.end[0] = text.trimEnd().length
    this.top = {
      parent: undefined,
      index: 0,
      depth: -1,
      scan: undefined,
      lines: undefined,
      media: undefined,
      entries,
      opened: [],
    }
  }

  get lineCount(): number {
    return this.countLines(this.top)
  }

  /** Replaces the text by a longer one that begins with it, after more of it was read. */
  extend(text: string): void {
    const known = this.text.length
    this.text = text
    this.top.entries.end[0] = text.trimEnd().length
    const visit = (node: JsonNode) => {
      // The lines of a string that was cut off ended there.
      const whole = node.opened.filter((child) => !child.lines || node.entries.end[child.index]! < known)
      node.opened.splice(0, node.opened.length, ...whole)
      if (node.scan && !node.scan.isDone) this.pending.push(node)
      for (const child of node.opened) visit(child)
    }
    visit(this.top)
    this.changed()
    this.start()
  }

  /** Ends all work. */
  close(): void {
    this.isClosed = true
    this.pending.length = 0
  }

  typeOf(node: JsonNode, index: number) {
    return typeAt(this.text, node.entries.start[index]!)
  }

  openedAt(node: JsonNode, index: number): JsonNode | undefined {
    const place = placeOf(node.opened, index)
    return node.opened[place]?.index === index ? node.opened[place] : undefined
  }

  /** Opens an entry; undefined if it has nothing to open or too much is open already. */
  open(node: JsonNode, index: number): JsonNode | undefined {
    const known = this.openedAt(node, index)
    if (known) return known
    const { entries } = node
    const start = entries.start[index]!
    const type = typeAt(this.text, start)
    if (this.openNodes >= openNodesMax || type === 'number' || type === 'literal') return undefined
    const isText = type === 'string'
    const scan = isText ? undefined : new ContainerScan(this.text, start)
    const end = entries.end[index]! - 1
    const media = isText ? this.mediaOf(node, index) : undefined
    const child: JsonNode = {
      parent: node,
      index,
      depth: node.depth + 1,
      scan,
      media,
      lines: isText && !media ? new TextLines(start + 1, Math.max(start + 1, end), this.columns) : undefined,
      entries: scan?.entries ?? new Entries(),
      opened: [],
    }
    node.opened.splice(placeOf(node.opened, index), 0, child)
    this.openNodes++
    this.work(child, scanChars)
    if (!this.isFinished(child)) this.pending.push(child)
    this.changed()
    this.start()
    return child
  }

  /** What a string holds or names: base64 of a known format, or the digest of a stored file. */
  mediaOf(node: JsonNode, index: number): EmbeddedMedia | StoredMedia | undefined {
    const start = node.entries.start[index]!
    const end = node.entries.end[index]!
    const key = this.text.slice(node.entries.key[index], node.entries.keyEnd[index])
    const file = /\.(?:json|py|txt|pkl)"$/.test(key) ? undefined : this.storedFile(node, start, end)
    return file ?? embeddedMedia(this.text, start, end)
  }

  /** Custom values name their files by digest: `{_type, …, files: {name: digest}}`. */
  private storedFile({ parent, index }: JsonNode, start: number, end: number): StoredMedia | undefined {
    if (!parent?.parent || end - start > digestCharsMax) return undefined
    const { entries } = parent
    if (this.text.slice(entries.key[index], entries.keyEnd[index]) !== '"files"') return undefined
    const digest = this.text.slice(start + 1, end - 1)
    return isCustom(this.text, entries) && /^[\w-]{20,}$/.test(digest) ? { digest } : undefined
  }

  closeEntry(node: JsonNode, index: number): void {
    const place = placeOf(node.opened, index)
    const child = node.opened[place]
    if (child?.index !== index) return
    node.opened.splice(place, 1)
    this.openNodes -= countNodes(child)
    this.changed()
  }

  /** Opens what is small, level by level, until `linesMax` lines show. */
  openSmall(linesMax: number, charsMax: number): void {
    const root = this.open(this.top, 0)
    const queue = root?.scan ? [root] : []
    let mediaCount = 0
    for (let node = queue.shift(); node && this.lineCount < linesMax; node = queue.shift()) {
      for (let index = 0; index < node.entries.length && this.lineCount < linesMax; index++) {
        const type = this.typeOf(node, index)
        const chars = node.entries.end[index]! - node.entries.start[index]!
        if (type === 'string') {
          if (chars <= mediaCharsAtFirst && mediaCount < mediaAtFirst && this.mediaOf(node, index)) {
            this.open(node, index)
            mediaCount++
          }
        } else if ((type === 'object' || type === 'array') && (chars <= charsMax || node.entries.length === 1)) {
          const child = this.open(node, index)
          if (child) queue.push(child)
        }
      }
    }
  }

  /** Waits until everything opened is scanned as far as the text goes. */
  async settle(): Promise<void> {
    while (this.working) await this.working
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
        if (opened[middle]!.index + before[middle]! < rest) low = middle + 1
        else high = middle
      }
      const child = opened[low - 1]
      if (child) {
        const first = child.index + before[low - 1]! + 1
        const inside = this.countLines(child)
        if (rest < first + inside) {
          node = child
          rest -= first
          continue
        }
        rest -= before[low - 1]! + inside
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
      number += at + (this.countsOf(current).before[place] ?? 0)
      if (!current.parent) return number
      number++
      at = current.index
      current = current.parent
    }
  }

  /** Opens what leads to a position of the text and returns the line that shows it. */
  async reveal(position: number): Promise<number> {
    let node = this.top
    for (;;) {
      const starts = node.lines?.start ?? node.entries.key
      const index = lastAtOrBefore(starts, node.lines?.length ?? node.entries.length, position)
      if (index < 0 || node.lines || node.media) return this.lineNumberOf(node, Math.max(0, index))
      const { entries } = node
      const type = this.typeOf(node, index)
      const isLong = type === 'string' && entries.end[index]! - entries.start[index]! > longStringChars
      if (position < entries.start[index]! || !(type === 'object' || type === 'array' || isLong)) {
        return this.lineNumberOf(node, index)
      }
      const child = this.open(node, index)
      if (!child) return this.lineNumberOf(node, index)
      while (this.reached(child) <= position && !this.isFinished(child) && this.working) await pause()
      node = child
    }
  }

  private reached({ scan, lines }: JsonNode): number {
    return scan ? scan.at : lines ? lines.endOf(lines.length - 1) : 0
  }

  private isFinished({ scan, lines, entries }: JsonNode): boolean {
    if (lines) return lines.isDone
    return !scan || scan.isDone || scan.at >= this.text.length || entries.length >= entriesMax
  }

  private start(): void {
    if (this.working || this.pending.length === 0) return
    this.working = this.workAll().finally(() => {
      this.working = undefined
    })
  }

  private async workAll(): Promise<void> {
    while (this.pending.length > 0 && !this.isClosed) {
      await pause()
      const until = performance.now() + workMs
      do {
        const node = this.pending.at(-1)
        if (!node) break
        this.work(node, scanChars)
        if (this.isFinished(node)) this.pending.splice(this.pending.lastIndexOf(node), 1)
      } while (performance.now() < until)
      this.changed()
    }
  }

  private work({ scan, lines }: JsonNode, chars: number): void {
    scan?.run(this.text, chars)
    lines?.run(this.text, chars)
  }

  private changed(): void {
    this.counts.clear()
    this.onChange()
  }

  private countLines(node: JsonNode): number {
    const { own, before } = this.countsOf(node)
    const isContainer = node.scan !== undefined
    return own + before[node.opened.length]! + (isContainer ? 1 : 0)
  }

  private countsOf(node: JsonNode) {
    const known = this.counts.get(node)
    if (known) return known
    const before = new Uint32Array(node.opened.length + 1)
    for (const [place, child] of node.opened.entries()) before[place + 1] = before[place]! + this.countLines(child)
    const counts = { own: node.media ? mediaLines : (node.lines?.length ?? node.entries.length), before }
    this.counts.set(node, counts)
    return counts
  }
}

/** Strings longer than this are shown in part until they are opened. */
export const longStringChars = 240

/** Whether an object is the serialized form of a custom value. */
function isCustom(text: string, { length, key, keyEnd, start, end }: Entries): boolean {
  for (let index = 0; index < Math.min(length, 8); index++) {
    if (text.slice(key[index], keyEnd[index]) !== '"_type"') continue
    return /^"Custom\w*Type"$/.test(text.slice(start[index], Math.min(end[index]!, start[index]! + 100)))
  }
  return false
}

function placeOf(opened: readonly JsonNode[], index: number): number {
  let low = 0
  let high = opened.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (opened[middle]!.index < index) low = middle + 1
    else high = middle
  }
  return low
}

function lastAtOrBefore(starts: Uint32Array, length: number, position: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

const countNodes = (node: JsonNode): number => node.opened.reduce((sum, child) => sum + countNodes(child), 1)
