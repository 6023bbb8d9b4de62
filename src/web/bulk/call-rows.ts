import { kindOf, membersOf, objectOf } from '../dataset/cells.ts'
import { ContainerScan, typeAt } from '../json/scan.ts'

/** A call as rows are made from it: its payload as JSON text, to the letter. */
export interface SourceCall {
  readonly id: string
  readonly op: string
  /** JSON text of the line: `id`, `op_name`, `inputs`, `output`. */
  readonly text: string
}

/** A value inside the payload of a call. */
export interface PayloadValue {
  /** `inputs.message`, `output.choices.0.message.content`. */
  readonly path: string
  /** JSON text. */
  readonly text: string
}

const depthMax = 4
const valuesMax = 80

/** The values of a payload that a column can be filled with: members, and first items of lists. */
export function valuesOf(call: SourceCall): readonly PayloadValue[] {
  const members = membersOf(call.text)
  const values: PayloadValue[] = []
  const add = (path: string, text: string, depth: number) => {
    if (values.length >= valuesMax || text === 'null') return
    values.push({ path, text })
    if (depth >= depthMax) return
    const type = typeAt(text, 0)
    if (type === 'object') for (const [name, member] of membersOf(text)) add(`${path}.${name}`, member, depth + 1)
    else if (type === 'array' && kindOf(text) !== 'messages') {
      const first = firstItem(text)
      if (first !== undefined && typeAt(first, 0) === 'object') add(`${path}.0`, first, depth + 1)
    }
  }
  const inputs = members.get('inputs')
  if (inputs !== undefined) for (const [name, text] of membersOf(inputs)) add(`inputs.${name}`, text, 1)
  const output = members.get('output')
  if (output !== undefined) add('output', output, 0)
  return values
}

function firstItem(text: string): string | undefined {
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, text.length));
  return scan.entries.length === 0 ? undefined : text.slice(scan.entries.start.at(0), scan.entries.end.at(0)).trimEnd()
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

const answerPaths = ['output.choices.0.message.content', 'output.content', 'output.answer', 'output']

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
  const answer = answerPaths.find((path) => paths.includes(path)) ?? ''
  const inputs = paths.filter((path) => /^inputs\.[^.]+$/.test(path))
  const keptPath = (column: string) =>
    kept.find((each) => each.column === column && (each.path === '' || paths.includes(each.path)))?.path
  if (columns === undefined || columns.length === 0) {
    const own = kept.filter(({ path }) => paths.includes(path))
    if (own.length > 0) return own
    return [
      ...inputs.map((path) => ({ column: path.slice('inputs.'.length), path })),
      ...(answer === '' ? [] : [{ column: expectedColumn, path: answer }]),
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

/** A row made from a call. */
export interface CallRowMade {
  readonly call: SourceCall
  /** JSON text of each column, without the call. */
  readonly cells: ReadonlyMap<string, string>
  /** Columns for which the call has no value. */
  readonly missing: readonly string[]
  /** Whether its `expected` was corrected. */
  readonly isCorrected: boolean
}

/** Makes the row of a call. @param correction what its output should have been */
export function rowFromCall(call: SourceCall, mapping: readonly Mapped[], correction: string | undefined): CallRowMade {
  const values = new Map(valuesOf(call).map(({ path, text }) => [path, text]))
  const cells = new Map<string, string>()
  const missing: string[] = []
  for (const { column, path } of mapping) {
    if (column === '') continue
    const isCorrected = column === expectedColumn && correction !== undefined
    const text = isCorrected ? JSON.stringify(correction) : values.get(path)
    if (text !== undefined) cells.set(column, text)
    else if (path !== '') missing.push(column)
  }
  return { call, cells, missing, isCorrected: correction !== undefined }
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
