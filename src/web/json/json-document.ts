import { countNodes, type JsonLine, type JsonNode, longStringChars, placeOf } from './json-node.ts'
import { LineIndex } from './line-index.ts'
import { type EmbeddedMedia, embeddedMedia, type StoredMedia } from './media.ts'
import { ContainerScan, Entries, type Positions, pause, skipSpace, typeAt, workMs } from './scan.ts'
import { TextLines } from './text-lines.ts'

const digestCharsMax = 100

/** Media in a string: base64 of a known format, or the digest of a stored file. */
function mediaOf(text: string, node: JsonNode, index: number): EmbeddedMedia | StoredMedia | undefined {
  const start = node.entries.start.at(index)
  const end = node.entries.end.at(index)
  const key = text.slice(node.entries.key.at(index), node.entries.keyEnd.at(index))
  const file = /\.(?:json|py|txt|pkl)"$/.test(key) ? undefined : storedFile(text, node, start, end)
  return file ?? embeddedMedia(text, start, end)
}

/** Custom values name their files by digest: `{_type, …, files: {name: digest}}`. */
function storedFile(text: string, { parent, index }: JsonNode, start: number, end: number): StoredMedia | undefined {
  if (!parent?.parent || end - start > digestCharsMax) return undefined
  const { entries } = parent
  if (text.slice(entries.key.at(index), entries.keyEnd.at(index)) !== '"files"') return undefined
  const digest = text.slice(start + 1, end - 1)
  return isCustom(text, entries) && /^[\w-]{20,}$/.test(digest) ? { digest } : undefined
}

/** Whether an object is the serialized form of a custom value. */
function isCustom(text: string, { length, key, keyEnd, start, end }: Entries): boolean {
  for (let index = 0; index < Math.min(length, 8); index++) {
    if (text.slice(key.at(index), keyEnd.at(index)) !== '"_type"') continue
    return /^"Custom\w*Type"$/.test(text.slice(start.at(index), Math.min(end.at(index), start.at(index) + 100)))
  }
  return false
}

/** Members of one container that are listed. */
const entriesMax = 500_000
/** Containers and strings open at a time. */
const openNodesMax = 5_000
const scanChars = 128 * 1024
/** Media of more characters are shown on demand. */
const mediaCharsAtFirst = 1_500_000
const mediaAtFirst = 8

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
  private readonly index: LineIndex
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
    entries.end.set(0, text.trimEnd().length)
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
    this.index = new LineIndex(this.top)
  }

  get lineCount(): number {
    return this.index.countLines(this.top)
  }

  /** The line with the given number, counted from 0. */
  lineAt(number: number): JsonLine | undefined {
    return this.index.lineAt(number)
  }

  /** Number of the line that shows an entry of an opened node. */
  lineNumberOf(node: JsonNode, index: number): number {
    return this.index.lineNumberOf(node, index)
  }

  /** The media in a string, if they can be shown. */
  mediaOf(node: JsonNode, index: number) {
    return mediaOf(this.text, node, index)
  }

  /** Replaces the text by a longer one that begins with it, after more of it was read. */
  extend(text: string): void {
    const known = this.text.length
    this.text = text
    this.top.entries.end.set(0, text.trimEnd().length)
    const visit = (node: JsonNode) => {
      // The lines of a string that was cut off ended there.
      const whole = node.opened.filter((child) => !child.lines || node.entries.end.at(child.index) < known)
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
    return typeAt(this.text, node.entries.start.at(index))
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
    const start = entries.start.at(index)
    const type = typeAt(this.text, start)
    if (this.openNodes >= openNodesMax || type === 'number' || type === 'literal') return undefined
    const isText = type === 'string'
    const scan = isText ? undefined : new ContainerScan(this.text, start)
    const end = entries.end.at(index) - 1
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
        const chars = node.entries.end.at(index) - node.entries.start.at(index)
        if (type === 'string') {
          if (chars <= mediaCharsAtFirst && mediaCount < mediaAtFirst && this.mediaOf(node, index)) {
            this.open(node, index)
            mediaCount++
          }
        } else if (type === 'object' || type === 'array') {
          const isEmpty = chars <= 2
          if (isEmpty || (chars > charsMax && node.entries.length > 1)) continue
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

  /** Opens what leads to a position of the text and returns the line that shows it. */
  async reveal(position: number): Promise<number> {
    let node = this.top
    for (;;) {
      const index = lastAtOrBefore(node.lines?.start ?? node.entries.key, position)
      if (index < 0 || node.lines || node.media) return this.lineNumberOf(node, Math.max(0, index))
      const { entries } = node
      const type = this.typeOf(node, index)
      const isLong = type === 'string' && entries.end.at(index) - entries.start.at(index) > longStringChars
      if (position < entries.start.at(index) || !(type === 'object' || type === 'array' || isLong)) {
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
    this.index.clear()
    this.onChange()
  }
}

function lastAtOrBefore(starts: Positions, position: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts.at(middle) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}
