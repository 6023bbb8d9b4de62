import { ContainerScan, typeAt } from '../json/scan.ts'
import { stringText } from '../json/string-text.ts'

const charsMax = 160

/** Arguments of a tool in one line: `user_id: "sophia", flights: […]`. */
export function argumentLine(json: string): string {
  const start = json.search(/\S/)
  if (start < 0 || json[start] !== '{') return json.slice(0, charsMax)
  const scan = new ContainerScan(json, start)
  scan.run(json, 4_000)
  const { entries } = scan
  const parts: string[] = []
  for (let index = 0, chars = 0; index < entries.length && chars < charsMax; index++) {
    const key = stringText(json, entries.key[index]!, entries.keyEnd[index]!, 60)
    const part = `${key}: ${valueText(json, entries.start[index]!, entries.end[index]!)}`
    parts.push(part)
    chars += part.length
  }
  return parts.join(', ')
}

function valueText(json: string, start: number, end: number): string {
  const type = typeAt(json, start)
  if (end - start > 60 && (type === 'object' || type === 'array')) return type === 'object' ? '{…}' : '[…]'
  return json.slice(start, Math.min(end, start + 80))
}
