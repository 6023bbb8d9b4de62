import type { ValueText } from '../model/payloads.ts'

/** The requested piece of [`from`, `to`) of a text. Characters of two code units are not split. */
export function pieceOf(
  text: string,
  { offset, length }: { readonly offset: number; readonly length: number },
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: text.length },
): Pick<ValueText, 'offset' | 'text' | 'next_offset'> {
  const begin = Math.min(from + offset, to)
  let end = Math.min(begin + length, to)
  // A piece of one code unit takes the other half as well: it must not be empty.
  if (end < to && isHighSurrogate(text, end - 1)) end += end - begin > 1 ? -1 : 1
  return { offset, text: text.slice(begin, end), next_offset: end < to ? end - from : null }
}

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800
