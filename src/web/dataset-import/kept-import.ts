import type { Correction, ReadOptions } from '../../domains/datasets/index.ts'
import type { Choice, EmptyCell } from './choices.ts'

/** Where the rows of a file go, as it was chosen. */
export interface ChosenPlace {
  readonly where: 'append' | 'replace' | 'new'
  readonly name: string | undefined
  readonly skipsEqual: boolean
}

/** What was chosen for a file. The file itself cannot be kept over a reload. */
export interface KeptImport {
  readonly fileName: string
  readonly bytes: number
  readonly options: ReadOptions
  /** Names of the columns that the choices are for. */
  readonly columns: readonly string[]
  readonly choices: readonly Choice[]
  readonly empty: EmptyCell
  readonly corrections: readonly Correction[]
  readonly place: ChosenPlace
}

const keyOf = (projectId: string, into: string): string => `tracelake.import ${projectId} ${into}`

/** What was chosen in this tab before the page was left. */
export function keptImport(projectId: string, into: string): KeptImport | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(projectId, into)) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** @param kept undefined to forget it */
export function keepImport(projectId: string, into: string, kept: KeptImport | undefined): void {
  try {
    if (kept === undefined) sessionStorage.removeItem(keyOf(projectId, into))
    else sessionStorage.setItem(keyOf(projectId, into), JSON.stringify(kept))
  } catch {
    // No storage, or no room in it: the choices then last as long as the page.
  }
}

const isKept = (value: unknown): value is KeptImport =>
  typeof value === 'object' && value !== null && 'fileName' in value && 'choices' in value && 'place' in value
