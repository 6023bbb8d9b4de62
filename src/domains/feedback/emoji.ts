import names from './emoji-names.json' with { type: 'json' }

/**
 * An emoji with its names; `detoned` is the same emoji without skin tone, or its name if there is
 * no such emoji.
 */
export interface Emoji {
  readonly emoji: string
  /** `:thumbs_up_medium_skin_tone:`, the Unicode name as spelled by the Python package `emoji`. */
  readonly alias: string
  readonly detoned: string
  readonly detoned_alias: string
}

/** Variation selector 16: emoji presentation. */
const presentation = /\uFE0F/g
const toneInName = /_(?:light|medium-light|medium|medium-dark|dark)_skin_tone/g

const entries = Object.entries(names)
/** Names by emoji characters without variation selectors, which clients set inconsistently. */
const nameOf = new Map(entries.map(([emoji, name]) => [emoji.replace(presentation, ''), name] as const))
const emojiOf = new Map(entries.map(([emoji, name]) => [name, emoji] as const))

/**
 * The emoji that `text` consists of; undefined if it is not exactly one emoji. See
 * docs/decisions/077-emoji-names.md.
 */
export function parseEmoji(text: string): Emoji | undefined {
  const name = nameOf.get(text.replace(presentation, ''))
  if (name === undefined) return undefined
  // A skin tone alone is an emoji too, not a modifier.
  const toneless = name.replace(toneInName, '')
  return {
    emoji: text,
    alias: `:${name}:`,
    // Some pairs of people are emoji only with skin tones.
    detoned: emojiOf.get(toneless) ?? `:${toneless}:`,
    detoned_alias: `:${toneless}:`,
  }
}
