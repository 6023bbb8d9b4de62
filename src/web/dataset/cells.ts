import { ContainerScan, typeAt } from '../json/scan.ts'
import { readJson } from '../prompt/json-places.ts'
import { datasetText } from '../text/dataset.ts'

/** A row of a dataset as stored. */
export interface Row {
  /** 0-based position in the version. */
  readonly index: number
  /** The row as JSON text, to the letter. */
  readonly text: string
  /** JSON text of each member by name, in the order of the row. */
  readonly cells: ReadonlyMap<string, string>
}

/** A row of a version. @param text JSON object */
export const rowOf = (index: number, text: string): Row => ({ index, text, cells: membersOf(text) })

/** JSON text of each member of a JSON object; of two members with one name, the last counts. */
export function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  if (typeAt(text, 0) !== 'object') return members
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, text.length));
  const { entries } = scan
  for (let at = 0; at < entries.length; at++) {
    const name: string = JSON.parse(text.slice(entries.key.at(at), entries.keyEnd.at(at)))
    members.set(name, text.slice(entries.start.at(at), entries.end.at(at)).trimEnd())
  }
  return members
}

/** JSON text of each item of a JSON array. */
export function itemsOf(text: string): readonly string[] {
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, text.length));
  const { entries } = scan
  return Array.from({ length: entries.length }, (_, at) =>
    text.slice(entries.start.at(at), entries.end.at(at)).trimEnd(),
  )
}

/** JSON object of members that are JSON text. */
export const objectOf = (members: Iterable<readonly [name: string, text: string]>): string =>
  `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`

/** What a cell holds, as the grid tells it apart. */
export type CellKind = 'missing' | 'null' | 'text' | 'number' | 'boolean' | 'messages' | 'image' | 'call' | 'json'

const callRef = /^"[a-z]+:\/\/\/[^/"]+\/[^/"]+\/call\/([^"/:?#]+)"$/
const imageObject = /^\{\s*"type"\s*:\s*"image(_url)?"/
/** A value that an SDK stored as a file: `{_type, …, files: {"image.png": digest}}`. */
const storedImage = /^\{\s*"_type".*"files"\s*:\s*\{\s*"image\.(?:png|jpe?g|webp|gif)"\s*:\s*"([\w-]{20,})"/s
const dataImage = /"(data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]+)"/
const messagesCharsMax = 200_000

/** What a cell holds. @param text JSON text; undefined where the row lacks the member */
export function kindOf(text: string | undefined): CellKind {
  if (text === undefined) return 'missing'
  switch (typeAt(text, 0)) {
    case 'number':
      return 'number'
    case 'literal':
      return text === 'null' ? 'null' : 'boolean'
    case 'string':
      return callRef.test(text) ? 'call' : /^"data:image\//.test(text) ? 'image' : 'text'
    case 'array':
      return areMessages(text) ? 'messages' : 'json'
    case 'object':
      return imageObject.test(text) || storedImage.test(text.slice(0, 1_000)) ? 'image' : 'json'
  }
}

function areMessages(text: string): boolean {
  if (!text.slice(0, 4_000).includes('"role"') || text.length > messagesCharsMax) return false
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item?.role === 'string')
}

/** Id of the call that a cell refers to. */
export const callIdOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : callRef.exec(text)?.[1]

/** Where the picture of a cell is: in the cell itself, or a stored file. */
export function imageOf(text: string): { readonly url: string } | { readonly digest: string } | undefined {
  const digest = storedImage.exec(text.slice(0, 1_000))?.[1]
  if (digest !== undefined) return { digest }
  const url = dataImage.exec(text)?.[1]
  return url === undefined ? undefined : { url }
}

/** The number of items of a JSON list. */
function itemsIn(text: string): number {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.length : 0
}

const previewChars = 400

/** A one-line summary of the value of a cell. */
export function previewOf(text: string, kind: CellKind): string {
  switch (kind) {
    case 'text':
      return stringOf(text).slice(0, previewChars).replace(/\s+/g, ' ')
    case 'messages':
      return datasetText.messages(itemsIn(text))
    case 'image':
      return datasetText.image
    case 'call':
      return (callIdOf(text) ?? '').slice(0, 8)
    case 'json':
      return foldedOf(text)
    default:
      return text
  }
}

/** A folded container: its first text, or how much is in it. */
function foldedOf(text: string): string {
  const isList = typeAt(text, 0) === 'array'
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, text.length));
  const { entries } = scan
  for (let at = 0; at < entries.length; at++) {
    const start = entries.start.at(at)
    if (typeAt(text, start) === 'string')
      return `${isList ? '[…]' : '{…}'} ${stringOf(text.slice(start, entries.end.at(at)).trimEnd()).slice(0, 80)}`
  }
  return isList ? `[…] ${datasetText.items(entries.length)}` : `{…} ${datasetText.keysIn(entries.length)}`
}

/** Decodes JSON text that is a string. */
const stringOf = (text: string): string => {
  const value: unknown = JSON.parse(text)
  return typeof value === 'string' ? value : text
}

/** A column of the grid, as its first rows show it. */
export interface Column {
  readonly name: string
  /** What most of its cells hold. */
  readonly kind: CellKind
  /** Whether all of its texts are short, such as names of splits. */
  readonly isShort: boolean
}

const shortChars = 12

/** Columns of rows, in the order in which the rows name them. */
export function columnsOf(rows: Iterable<Pick<Row, 'cells'>>): readonly Column[] {
  const found = new Map<string, { readonly kinds: Map<CellKind, number>; longest: number }>()
  for (const { cells } of rows) {
    for (const [name, text] of cells) {
      const column = found.get(name) ?? { kinds: new Map<CellKind, number>(), longest: 0 }
      const kind = kindOf(text)
      column.kinds.set(kind, (column.kinds.get(kind) ?? 0) + 1)
      column.longest = Math.max(column.longest, text.length - 2)
      found.set(name, column)
    }
  }
  return [...found].map(([name, { kinds, longest }]) => {
    const known = [...kinds].filter(([kind]) => kind !== 'null').sort(([, a], [, b]) => b - a)
    return { name, kind: known[0]?.[0] ?? 'null', isShort: longest <= shortChars }
  })
}

/** What somebody can choose a cell to be. */
export type EditKind = 'text' | 'number' | 'boolean' | 'json' | 'null' | 'missing'

/** What a cell is edited as. */
export const editKindOf = (kind: CellKind): EditKind =>
  kind === 'call' ? 'text' : kind === 'messages' || kind === 'image' ? 'json' : kind

/** What stands in the editor for the value of a cell. */
export const typedOf = (text: string | undefined): string =>
  text === undefined || text === 'null' ? '' : typeAt(text, 0) === 'string' ? stringOf(text) : text

/** What was typed as JSON text, or what is wrong with it. */
export function readTyped(typed: string, kind: EditKind): { readonly json: string | undefined } | { fault: string } {
  const trimmed = typed.trim()
  switch (kind) {
    case 'text':
      return { json: JSON.stringify(typed) }
    case 'number':
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) return { fault: datasetText.notNumber(typed) }
      return Number.isFinite(Number(trimmed)) ? { json: trimmed } : { fault: datasetText.tooLarge(trimmed) }
    case 'boolean':
      return trimmed === 'true' || trimmed === 'false' ? { json: trimmed } : { fault: datasetText.notBoolean(typed) }
    case 'json': {
      const read = readJson(typed)
      if (!('fault' in read)) return { json: trimmed }
      const before = typed.slice(0, read.fault.offset).split('\n')
      return { fault: datasetText.notJson(before.length, (before.at(-1) ?? '').length + 1, read.fault.reason) }
    }
    case 'null':
      return { json: 'null' }
    case 'missing':
      return { json: undefined }
  }
}
