import names from './emoji-names.json' with { type: 'json' }

/** An emoji with its names; without the skin tone it is the same emoji in yellow. */
export interface Emoji {
  readonly emoji: string
  /** `:thumbs_up_medium_skin_tone:`, as Python's package `emoji` spells the names of Unicode's list. */
  readonly alias: string
  readonly detoned: string
  readonly detoned_alias: string
}

/** Variation selector 16: show the character as a picture. */
const presentation = /\uFE0F/g
const tone = /[\u{1F3FB}-\u{1F3FF}]/gu
const toneInName = /_(?:light|medium-light|medium|medium-dark|dark)_skin_tone/g

const entries = Object.entries(names)
/** Names by the characters of an emoji without variation selectors, which clients set or leave out as they like. */
const nameOf = new Map(entries.map(([emoji, name]) => [emoji.replace(presentation, ''), name] as const))
const emojiOf = new Map(entries.map(([emoji, name]) => [name, emoji] as const))

/** The emoji that `text` consists of; undefined where it is none, or more than one. */
export function parseEmoji(text: string): Emoji | undefined {
  const name = nameOf.get(text.replace(presentation, ''))
  if (name === undefined) return undefined
  // A skin tone alone is an emoji too; it is not the tone of anything.
  const toneless = name.replace(toneInName, '')
  return {
    emoji: text,
    alias: `:${name}:`,
    // Some pairs of people are an emoji only with their tones.
    detoned: emojiOf.get(toneless) ?? text.replace(tone, ''),
    detoned_alias: `:${toneless}:`,
  }
}
