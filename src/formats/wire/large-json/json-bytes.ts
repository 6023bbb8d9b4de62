import { byteAt } from '../../../lib/bytes.ts'
/** Bytes of JSON's syntax, and facts about bytes that need no decoding. */
export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const colon = 0x3a
export const openArray = 0x5b
export const closeArray = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d
export const zero = 0x30
export const nine = 0x39
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Digits of the largest array index. */
const indexDigitsMax = 10

/** Whether an odd number of backslashes precedes `at`. */
export function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at - 1
  while (bytes[first] === backslash) first--
  return (at - 1 - first) % 2 === 1
}

/** The text between two quotation marks if it has no escapes. */
export const plainText = (bytes: Uint8Array): string | undefined =>
  bytes.includes(backslash) ? undefined : new TextDecoder().decode(bytes)

export const noIndex = -1
export const perhapsIndex = -2

/**
 * The array index that a name represents (without leading zeros, as in
 * JavaScript); `noIndex` or `perhapsIndex`, which needs decoding, otherwise.
 */
export function arrayIndexOf(bytes: Uint8Array, start: number, end: number): number {
  const first = byteAt(bytes, start)
  // Escaped digits begin with \u003.
  if (first === backslash) return end - start > 5 && bytes[start + 4] === 0x33 ? perhapsIndex : noIndex
  if (first < zero || first > nine || end === start) return noIndex
  let index = 0
  for (let at = start; at < end; at++) {
    const byte = byteAt(bytes, at)
    if (byte === backslash) return perhapsIndex
    if (byte < zero || byte > nine || at - start >= indexDigitsMax) return noIndex
    index = index * 10 + (byte - zero)
  }
  return index < 2 ** 32 - 1 && (first !== zero || end - start === 1) ? index : noIndex
}

/**
 * The next quotation mark, or -1. Most strings are short, for which a native search does not pay
 * off.
 */
export function nextQuote(bytes: Uint8Array, start: number): number {
  const until = Math.min(bytes.length, start + 48)
  for (let at = start; at < until; at++) if (bytes[at] === quote) return at
  return bytes.indexOf(quote, until)
}
