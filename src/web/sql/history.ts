import { remember, remembered } from '../state/preferences.ts'

/** A statement that was run in this browser. */
export interface PastStatement {
  readonly statement: string
  /** In milliseconds since 1970. */
  readonly at: number
}

const name = 'sql history'
const countMax = 50
const charsMax = 10_000

const isHistory = (value: unknown): value is readonly PastStatement[] =>
  Array.isArray(value) && value.every((each) => typeof each?.statement === 'string' && typeof each?.at === 'number')

/** Statements run in this browser, the newest first. */
export const pastStatements = (): readonly PastStatement[] => remembered(name, isHistory) ?? []

/** Remembers a statement; the same one moves to the front. */
export function rememberStatement(statement: string): void {
  if (statement.length > charsMax) return
  const others = pastStatements().filter((past) => past.statement !== statement)
  remember(name, [{ statement, at: Date.now() }, ...others].slice(0, countMax))
}

/** Forgets all of them. */
export const forgetStatements = (): void => remember(name, undefined)
