import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import type { Hit } from '../model/call-search.ts'
import { escapedSegment } from './field-count.ts'

/** Finds a text, in upper or lower case, in texts and JSON values. */
export class TextHits {
  readonly hits: Hit[] = []
  private readonly pattern: RegExp

  constructor(text: string) {
    this.pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\-', '-'), 'iu')
  }

  get isFull(): boolean {
    return this.hits.length >= explorationLimits.searchHitsMax
  }

  /** Searches a value and everything in it, names of members included. */
  addValue(path: string, value: unknown): void {
    if (this.isFull) return
    if (typeof value === 'string') this.addText(path, value)
    else if (Array.isArray(value)) {
      for (let at = 0; at < value.length && !this.isFull; at++) this.addValue(`${path}.${at}`, value[at])
    } else if (isRawNumber(value)) this.addText(path, value.rawJSON)
    else if (isJsonObject(value)) {
      for (const key in value) {
        if (this.isFull) return
        const inside = `${path}.${escapedSegment(key)}`
        this.addText(inside, key)
        this.addValue(inside, value[key])
      }
    } else this.addText(path, String(value))
  }

  /** Searches a text. Several occurrences in one text are one hit. */
  addText(path: string, text: string): void {
    const found = this.isFull ? null : this.pattern.exec(text)
    if (found === null) return
    const from = Math.max(0, found.index - explorationLimits.snippetCharsBefore)
    const through = found.index + found[0].length
    // Truncation may split a character.
    const before = text.slice(from, found.index).toWellFormed()
    const after = text.slice(through, through + explorationLimits.snippetCharsAfter).toWellFormed()
    this.hits.push({
      path,
      snippet: before + found[0] + after,
      start: before.length,
      end: before.length + found[0].length,
    })
  }
}
