/** The JSON object or array that a text consists of; undefined for any other text. */
export function jsonIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON, which is what the caller wants to know.
    return undefined
  }
}

/** Models like to wrap JSON in a Markdown code fence. */
export const withoutFence = (text: string): string => /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text
