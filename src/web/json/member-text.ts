import { ContainerScan, skipSpace, typeAt } from './scan.ts'

/**
 * The text of the value at `path` in JSON text, to the letter; undefined if there is none. Of two
 * members with one name, the last counts, as everywhere.
 */
export function memberText(text: string, path: readonly string[]): string | undefined {
  let value = text
  for (const key of path) {
    const start = skipSpace(value, 0)
    if (typeAt(value, start) !== 'object') return undefined
    const scan = new ContainerScan(value, start)
    while (scan.run(value, value.length));
    const { entries } = scan
    let at = entries.length - 1
    while (at >= 0 && JSON.parse(value.slice(entries.key.at(at), entries.keyEnd.at(at))) !== key) at--
    if (at < 0) return undefined
    value = value.slice(entries.start.at(at), entries.end.at(at)).trimEnd()
  }
  return value
}
