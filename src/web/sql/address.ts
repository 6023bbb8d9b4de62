import { sqlPath } from '../state/paths.ts'

/** The statement in the fragment of the address. */
export const statementOfAddress = (): string | undefined =>
  new URLSearchParams(location.hash.slice(1)).get('q') ?? undefined

/** Keeps the statement in the fragment, which no server sees. */
export function writeStatement(statement: string): void {
  if (statement === (statementOfAddress() ?? '')) return
  history.replaceState(history.state, '', sqlPath(statement.trim() === '' ? undefined : statement))
}
