import type { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'gr',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
]
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou', 'y']
const codas = ['', '', 'l', 'm', 'n', 'nd', 'r', 's', 'st', 't', 'x']

/**
 * 4,840 words of two or more syllables. Generated, not listed, so that texts do not repeat each
 * other.
 */
const vocabulary: readonly string[] = onsets.flatMap((onset, i) =>
  nuclei.flatMap((nucleus, j) =>
    codas.flatMap((coda, k) => {
      const first = `${onset}${nucleus}${coda}`
      const second = `${onsets[(i * 7 + k) % onsets.length]}${nuclei[(j * 3 + i) % nuclei.length]}`
      return [first + second, second + first]
    }),
  ),
)

/**
 * Prose of at least `chars` characters with a natural distribution of words, sentences, lines,
 * numbers, quotes and some non-ASCII characters, so that it compresses and escapes about like real
 * text.
 */
export function wordSalad(random: SeededRandom, chars: number): string {
  let text = ''
  let sentence = 0
  while (text.length < chars) {
    const draw = random.fraction()
    // Squaring favours the front of the list, roughly like Zipf's law.
    const word = vocabulary[Math.floor(draw * draw * vocabulary.length)]!
    if (sentence === 0) text += word[0]!.toUpperCase() + word.slice(1)
    else if (draw > 0.985) text += ` ${Math.floor(draw * 1e5) % 4000}`
    else if (draw > 0.975) text += ` "${word}"`
    else if (draw > 0.97) text += ` ${word}é`
    else text += ` ${word}`
    sentence++
    if (sentence > 6 && draw * 1000 - Math.floor(draw * 1000) < 0.15) {
      text += draw < 0.15 ? '.\n' : '. '
      sentence = 0
    }
  }
  return text
}
