/**
 * The one line that stands for an error: its type and its message, of at most `charsMax`
 * characters.
 */
export function errorLine(error: string, charsMax: number): string {
  const line = error
    .trimEnd()
    .split('\n')
    .findLast((text) => text.trim() !== '')
  return (line ?? '').trim().slice(0, charsMax)
}
