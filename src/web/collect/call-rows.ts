import { kindOf, membersOf, objectOf } from '../dataset/cells.ts'
import { ContainerScan, typeAt } from '../json/scan.ts'

/** A call, or a whole thread, as a row is made from it. */
export interface RowSource {
  /** Id of the call that the row keeps; of a thread, its last turn. */
  readonly id: string
  /** What mappings are remembered by: the op, or that it is a thread. */
  readonly op: string
  readonly name: string
  /** Short, for a list. */
  readonly label: string
  readonly threadId: string | undefined
  /** Its payload as JSON text, to the letter: `inputs`, `output` and others. */
  readonly text: string
}

/** A value inside a payload. */
export interface PayloadValue {
  /** `inputs.message`, `output.choices[0].message.content`. */
  readonly path: string
  /** JSON text. */
  readonly text: string
}

const depthMax = 4
const valuesMax = 120
/** Members of a payload that hold values of their own, none of which is a value itself. */
const groups: ReadonlySet<string> = new Set(['inputs', 'attributes', 'final'])

/** The values that columns are likely to be filled with: members, and first items of lists. */
export function valuesOf({ text }: RowSource): readonly PayloadValue[] {
  const values: PayloadValue[] = []
  const add = (path: string, own: string, depth: number) => {
    if (values.length >= valuesMax || own === 'null') return
    if (!groups.has(path)) values.push({ path, text: own })
    if (depth >= depthMax) return
    const type = typeAt(own, 0)
    if (type === 'object') for (const [name, member] of membersOf(own)) add(path + stepTo(name), member, depth + 1)
    else if (type === 'array' && kindOf(own) !== 'messages') {
      const first = itemAt(own, 0)
      if (first !== undefined && typeAt(first, 0) === 'object') add(`${path}[0]`, first, depth + 1)
    }
  }
  for (const [name, member] of membersOf(text)) add(name, member, 0)
  return values
}

const plainKey = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u

const stepTo = (name: string): string => (plainKey.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)

function itemAt(text: string, index: number): string | undefined {
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, text.length));
  const { entries } = scan
  return index < entries.length ? text.slice(entries.start.at(index), entries.end.at(index)).trimEnd() : undefined
}

const steps = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gu

/** JSON text of the value at a path of a payload; undefined if there is none. */
export function valueAt(text: string, path: string): string | undefined {
  let value: string | undefined = text
  let read = 0
  for (const [step, name, index, quoted] of path.matchAll(steps)) {
    if (value === undefined) return undefined
    read += step.length
    const key: string | undefined = name ?? (quoted === undefined ? undefined : JSON.parse(quoted))
    if (key !== undefined) value = membersOf(value).get(key)
    else value = typeAt(value, 0) === 'array' ? itemAt(value, Number(index)) : undefined
  }
  return read === path.length && path !== '' && value !== 'null' ? value : undefined
}

/** Name of the column that the value at a path would be given. */
export const nameOfPath = (path: string): string => {
  const names = [...path.matchAll(steps)].flatMap(([, name, , quoted]) => name ?? (quoted ? [JSON.parse(quoted)] : []))
  return String(names.at(-1) ?? '')
}

/** Column of a dataset, and the path of the value that fills it; '' leaves it out. */
export interface Mapped {
  readonly column: string
  readonly path: string
}

/** Column that a row keeps its call in. */
export const callColumn = 'call'
/** Column that the output, or what it should have been, goes into. */
export const expectedColumn = 'expected'

/** Final answers of a queue; `final.expected` is what the output should have been. */
const isFinal = (path: string): boolean => /^final\.[^.[]+$/.test(path)
const correctedPath = `final.${expectedColumn}`

const answerPaths = ['output.choices[0].message.content', 'output.content', 'output.answer', 'output']

/**
 * Proposes what fills the columns of a dataset, or the columns of a new one: values of the same
 * name, and the answer as `expected`.
 *
 * @param columns of the dataset; undefined for a new one
 * @param kept what was chosen for calls of this op before
 */
export function proposeMapping(
  values: readonly PayloadValue[],
  columns: readonly string[] | undefined,
  kept: readonly Mapped[] = [],
): readonly Mapped[] {
  const paths = values.map(({ path }) => path)
  const answer = [correctedPath, ...answerPaths].find((path) => paths.includes(path)) ?? ''
  const finals = paths.filter((path) => isFinal(path) && path !== correctedPath)
  const inputs = paths.filter((path) => path === 'messages' || /^inputs\.[^.[]+$/.test(path))
  const keptPath = (column: string) => kept.find((each) => each.column === column)?.path
  if (columns === undefined || columns.length === 0) {
    if (finals.length === 0 && kept.some(({ path }) => path !== '')) return kept
    // The conversation of a thread comes before the messages of its first call.
    const named = new Map(inputs.toReversed().map((path) => [nameOfPath(path), path]))
    return [
      ...[...named].reverse().map(([column, path]) => ({ column, path })),
      ...finals.map((path) => ({ column: nameOfPath(path), path })),
      { column: expectedColumn, path: answer },
    ]
  }
  return columns
    .filter((column) => column !== callColumn)
    .map((column) => ({
      column,
      path:
        keptPath(column) ??
        (column === expectedColumn ? answer : undefined) ??
        paths.find((path) => path === `inputs.${column}` || path === column) ??
        paths.find((path) => path.endsWith(`.${column}`)) ??
        '',
    }))
}

/** A row made from a call or thread. */
export interface RowMade {
  readonly source: RowSource
  /** JSON text of each column, without the call. */
  readonly cells: ReadonlyMap<string, string>
  /** Columns for which the call has no value. */
  readonly missing: readonly string[]
  /** Whether its `expected` was corrected. */
  readonly isCorrected: boolean
}

/** Makes a row. @param correction what the output should have been */
export function rowFrom(source: RowSource, mapping: readonly Mapped[], correction: string | undefined): RowMade {
  const cells = new Map<string, string>()
  const missing: string[] = []
  for (const { column, path } of mapping) {
    if (column === '') continue
    const isCorrected = column === expectedColumn && correction !== undefined
    const text = isCorrected ? JSON.stringify(correction) : valueAt(source.text, path)
    if (text !== undefined) cells.set(column, text)
    else if (path !== '') missing.push(column)
  }
  return { source, cells, missing, isCorrected: correction !== undefined }
}

/** What tells rows with the same content: the cells without the call, in any order. */
export const contentKey = (cells: ReadonlyMap<string, string>): string =>
  objectOf([...cells].filter(([column]) => column !== callColumn).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The ref by which a row keeps its call. */
export const refOfCall = (projectId: string, id: string): string => JSON.stringify(`ext:///${projectId}/call/${id}`)

const keyOf = (projectId: string, op: string): string => `tracelake.mapping ${projectId} ${op}`

/** The mapping that was last used for calls of an op. */
export function keptMapping(projectId: string, op: string): readonly Mapped[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, op)) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** Remembers a mapping for calls of an op. */
export function keepMapping(projectId: string, op: string, mapping: readonly Mapped[]): void {
  try {
    localStorage.setItem(keyOf(projectId, op), JSON.stringify(mapping))
  } catch {
    // No storage here: it is proposed anew the next time.
  }
}
