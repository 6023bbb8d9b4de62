/**
 * Tokens of a text in the vocabularies of current models, estimated from above for ordinary text:
 * three ASCII characters to a token, because ids and numbers take more tokens than prose, and one
 * token for any other character.
 */
export function estimateTokens(text: string): number {
  let others = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) others++
  return Math.ceil((text.length - others) / 3) + others
}

/** The beginning of a text that has at most `tokensMax` tokens by that estimate. */
export function cutToTokens(text: string, tokensMax: number): string {
  let thirds = tokensMax * 3
  for (let i = 0; i < text.length; i++) {
    thirds -= text.charCodeAt(i) > 127 ? 3 : 1
    if (thirds >= 0) continue
    // Not between the two halves of a character.
    const isLow = (text.charCodeAt(i) & 0xfc00) === 0xdc00
    return text.slice(0, isLow ? i - 1 : i)
  }
  return text
}
