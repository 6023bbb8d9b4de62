import type { SqlEngine } from './sql-engine.ts'

/** FROM items of what views read. */
export interface Sources {
  /** A stored table. @param name as in docs/data-on-disk.md */
  table(name: string): string
  /** Another view of the set. */
  view(name: string): string
}

/** Some rows of a view: SQL of each column, and what follows FROM. */
interface RowSource<Name extends string> {
  readonly values: Readonly<Record<Name, string>>
  readonly from: string
}

/** A view, described once for all engines. */
export interface View {
  readonly name: string
  readonly description: string
  /** What each column holds, by name, in order. */
  readonly columns: Readonly<Record<string, string>>
  /** The SELECT in the SQL of an engine. */
  select(engine: SqlEngine, from: Sources): string
}

/**
 * A view of the rows of one or several SELECTs. A column that one of them lacks does not compile.
 */
export function defineView<const Columns extends Readonly<Record<string, string>>>({
  rows,
  ...view
}: {
  readonly name: string
  readonly description: string
  readonly columns: Columns
  rows(engine: SqlEngine, from: Sources): readonly RowSource<keyof Columns & string>[]
}): View {
  const names = Object.keys(view.columns)
  const select = ({ values, from }: RowSource<string>) =>
    `SELECT ${names.map((name) => `${values[name]} AS ${name}`).join(',\n  ')}\nFROM ${from}`
  return { ...view, select: (engine, from) => rows(engine, from).map(select).join('\nUNION ALL\n') }
}
