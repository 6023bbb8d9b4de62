import { Positions } from './scan.ts'

/**
 * Breaks the spelling of a JSON string into lines: at line feeds, and at `columns` characters,
 * between words where possible. Never splits an escape. Pauses and resumes like a scan.
 */
export class TextLines {
  readonly start = new Positions()
  isDone = false
  private at: number
  private readonly end: number
  private readonly columns: number
  private column = 0
  private lastSpace = 0

  /** `start` is the position after the opening quote, `end` that of the closing one. */
  constructor(start: number, end: number, columns: number) {
    this.at = start
    this.end = end
    this.columns = columns
    this.start.add(start)
  }

  get length(): number {
    return this.start.length
  }

  /** Position after the last character of a line. */
  endOf(line: number): number {
    return line + 1 < this.length ? this.start.at(line + 1) : this.isDone ? this.end : this.at
  }

  /** Looks at about `chars` characters more; false once all lines are known. */
  run(text: string, chars: number): boolean {
    const stop = Math.min(this.end, this.at + chars)
    while (this.at < stop) this.step(text)
    this.isDone = this.at >= this.end
    return !this.isDone
  }

  private step(text: string): void {
    const code = text.charCodeAt(this.at)
    if (code === 92) {
      const letter = text.charCodeAt(this.at + 1)
      this.at += letter === 117 ? 6 : 2
      if (letter === 110) {
        this.breakAt(this.at)
        return
      }
    } else {
      this.at += code >= 0xd800 && code < 0xdc00 ? 2 : 1
      if (code === 32) this.lastSpace = this.at
    }
    this.column += code < 0x1100 ? 1 : 2
    if (this.column < this.columns) return
    const lineStart = this.start.at(this.length - 1)
    this.breakAt(this.lastSpace > lineStart ? this.lastSpace : this.at)
  }

  private breakAt(position: number): void {
    if (position >= this.end) return
    this.start.add(position)
    this.column = this.at - position
  }
}
