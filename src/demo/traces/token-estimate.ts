/** About so many tokens a tokenizer makes of `text`: four characters each. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
