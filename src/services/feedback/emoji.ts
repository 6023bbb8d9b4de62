import emojis from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' }

/** An emoji with its names; without the skin tone it is the same emoji in yellow. */
export interface Emoji {
  readonly emoji: string
  /** `:thumbs_up_medium_skin_tone:`, from the names of Unicode's emoji list. */
  readonly alias: string
  readonly detoned: string
  readonly detoned_alias: string
}

/** Variation selector 16: show the character as a picture. */
const presentation = /\uFE0F/g
const tones: Readonly<Record<string, string>> = {
  '\u{1F3FB}': 'light',
  '\u{1F3FC}': 'medium_light',
  '\u{1F3FD}': 'medium',
  '\u{1F3FE}': 'medium_dark',
  '\u{1F3FF}': 'dark',
}
const tone = /[\u{1F3FB}-\u{1F3FF}]/gu

/** Emoji by their characters without variation selectors, which clients set or leave out as they like. */
const known = new Map(
  Object.entries(emojis).map(([emoji, { slug }]) => [emoji.replace(presentation, ''), { emoji, slug }] as const),
)

/** The emoji that `text` consists of; undefined where it is none, or more than one. */
export function parseEmoji(text: string): Emoji | undefined {
  const plain = text.replace(presentation, '')
  const whole = known.get(plain)
  const base = known.get(plain.replace(tone, '')) ?? whole
  if (base === undefined) return undefined
  // A skin tone alone is an emoji too; it is not the tone of anything.
  const found = whole ?? base
  const used = whole === undefined ? (plain.match(tone) ?? []) : []
  const suffix = used.map((character) => `_${tones[character]}_skin_tone`).join('')
  return {
    emoji: text,
    alias: `:${found.slug}${suffix}:`,
    detoned: used.length === 0 ? text : base.emoji,
    detoned_alias: `:${found.slug}:`,
  }
}
