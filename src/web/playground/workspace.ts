import { memberOf } from '../../lib/present.ts'
import { type Prompt, promptOf } from '../prompt/prompt.ts'

/** A prompt version that a column started from. */
export interface PromptOrigin {
  readonly name: string
  readonly digest: string
  readonly index: number
  /** Digest of the prompt's latest version when the column was filled; undefined if not known. */
  readonly latest: string | undefined
}

/** A column of the playground: a model, and the prompt that it gets. */
export interface PlayColumn {
  readonly key: number
  /** The prompt with its model and settings. */
  readonly prompt: Prompt
  /** Undefined if it comes from no prompt. */
  readonly origin: PromptOrigin | undefined
  /** Whether the prompt is not the version of its origin any more. */
  readonly isEdited: boolean
  /** What the column could not take from a call, by name. */
  readonly notCarried: readonly string[]
}

/** Everything in the playground that somebody chose or typed. */
export interface Workspace {
  readonly columns: readonly PlayColumn[]
  /** Values of variables that were typed, by name; they come before those of the row. */
  readonly values: Readonly<Record<string, string>>
  /** The dataset whose rows fill in variables. */
  readonly dataset: string
  /** Digest of the dataset's version; without one it is the latest. */
  readonly datasetDigest?: string | undefined
  /** 0-based row of the dataset. */
  readonly row: number
  /** How often each column is run. */
  readonly runs: number
}

/** Columns that stand beside each other. */
export const columnsMax = 4
/** Runs of a column at a time. */
export const runsMax = 10

/** A column of a prompt. */
export const columnOf = (prompt: Prompt, more: Partial<PlayColumn> = {}): PlayColumn => ({
  key: ++lastKey,
  prompt,
  origin: undefined,
  isEdited: false,
  notCarried: [],
  ...more,
})

let lastKey = 0

/** A workspace with these columns. */
export const workspaceOf = (columns: readonly PlayColumn[]): Workspace => ({
  columns,
  values: {},
  dataset: '',
  row: 0,
  runs: 1,
})

/** What the playground is opened with: a version of a prompt. */
export const promptSource = (name: string, version: string): string => `prompt ${name} ${version}`

/** @param source what the playground was opened with: a call, a version of a prompt, or nothing */
const keyOf = (projectId: string, source: string): string => `tracelake.playground ${projectId} ${source}`

/** The workspace that this browser keeps; undefined without one. */
export function keptWorkspace(projectId: string, source: string): Workspace | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, source)) ?? 'null')
    if (!isWorkspace(kept)) return undefined
    return { ...kept, columns: kept.columns.map((column) => ({ ...column, ...freshKeys(column.prompt) })) }
  } catch {
    return undefined // No storage here, or a workspace of another version of this page.
  }
}

const isWorkspace = (kept: unknown): kept is Workspace => Array.isArray(memberOf(kept, 'columns'))

/** Keys of columns and messages are those of another page. */
function freshKeys(prompt: Prompt): Pick<PlayColumn, 'key' | 'prompt'> {
  const keyed = promptOf({ messages: prompt.messages.map(({ role }) => ({ role })) }).messages
  const messages = prompt.messages.map((message, index) => ({ ...message, key: keyed[index]?.key ?? -index }))
  return { key: ++lastKey, prompt: { ...prompt, messages } }
}

/** Keeps a workspace, so that it survives a reload. */
export function keepWorkspace(projectId: string, source: string, workspace: Workspace): void {
  try {
    localStorage.setItem(keyOf(projectId, source), JSON.stringify(workspace))
  } catch {
    // Storage is unavailable or full: the workspace then lasts as long as the page.
  }
}
