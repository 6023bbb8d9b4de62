import type { IconNode } from 'lucide'

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly id: string
  readonly group: string
  readonly label: string
  /** Printed at the right, in grey. */
  readonly detail?: string | undefined
  readonly icon: IconNode
  /** Words it is found by beside its label. */
  readonly words?: string | undefined
  readonly run: () => void
}

/**
 * How well a text answers what was typed: 0 not at all, then by the place of the words. Every
 * word has to be there; the start of the text counts most, then the start of a word.
 */
export function rank(typed: string, text: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const low = text.toLowerCase()
  let sum = 0
  for (const word of words) {
    const at = low.indexOf(word)
    if (at < 0) return 0
    sum += at === 0 ? 3 : startsWord(low, word) ? 2 : 1
  }
  return words.length === 0 ? 1 : sum / words.length
}

const startsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) return true
  }
  return false
}

/** The entries that answer what was typed, the best first, equal ones in their order. */
export const ranked = <Entry extends { readonly label: string; readonly words?: string | undefined }>(
  typed: string,
  entries: readonly Entry[],
): Entry[] =>
  entries
    .map((entry) => ({ entry, score: Math.max(rank(typed, entry.label), rank(typed, entry.words ?? '') / 2) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
