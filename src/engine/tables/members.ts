import type { Row } from '../../lib/table.ts'
import type { MemberCheck } from './columns.ts'
import type { DescribedTable } from './define-table.ts'

type Half = 'start' | 'end'

/** A member of a request that is stored as it is sent. */
export interface StoredMember<Name> {
  readonly name: Name
  readonly cell: number
  readonly check: MemberCheck
}

type CheckOf<T extends DescribedTable, Name extends keyof T['specs'], H extends Half> =
  T['specs'][Name]['options'] extends Readonly<Record<H, infer Check extends MemberCheck>> ? Check : never

type NameFrom<T extends DescribedTable, H extends Half> = keyof {
  [Name in keyof T['specs'] & string as CheckOf<T, Name, H> extends never ? never : Name]: unknown
}

/** The members of one half of a call, as the checks of their columns accept them. */
export type CheckedMembers<T extends DescribedTable, H extends Half> = {
  readonly [Name in NameFrom<T, H>]?: Parameters<CheckOf<T, Name, H>>[1]
}

/** Columns of a table that are filled from one half of a row, with their cells resolved. */
export const membersFrom = <T extends DescribedTable, H extends Half>(
  { specs, columns }: T,
  half: H,
): readonly StoredMember<NameFrom<T, H>>[] =>
  columns.flatMap(({ name }, cell) => {
    const check = specs[name]?.options[half]
    return check === undefined ? [] : [{ name: name as NameFrom<T, H>, cell, check }]
  })

/**
 * Checks the members that are there and stores them in their cells. @throws what the checks throw
 */
export function fillMembers<M extends object>(
  part: Row,
  members: readonly StoredMember<keyof NoInfer<M> & string>[],
  values: M,
): void {
  for (const { name, cell, check } of members) {
    const value = values[name]
    if (value != null) part[cell] = check(name, value as never)
  }
}
