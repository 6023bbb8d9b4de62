/** Headers, one a line as `Name: value`; undefined if a line is none. */
export function readHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.+?)\s*$/.exec(line))
  if (pairs.some((pair) => pair === null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}
