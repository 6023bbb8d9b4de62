import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { isInSplit, readSplit, type Split } from '../../../lib/splits.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { ChosenRows, RowChoice } from '../model/row-choice.ts'
import type { DatasetSource } from './engine-deps.ts'

/** Takes the rows of a choice from a dataset, whose digests it is given in order. */
export class RowSelection {
  private readonly split: Split | undefined
  private readonly named: ReadonlySet<string> | undefined
  private readonly limit: number
  /** How many rows it has taken. */
  count = 0

  /** @throws DomainError InvalidRequest for a split that does not exist */
  constructor({ split, row_digests, limit }: RowChoice) {
    this.split = split == null ? undefined : readSplit(split)
    if (split != null && this.split === undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Unknown split ${quoted(split)}: use train, test, or either with a percentage, such as test:10`,
      )
    }
    this.named = row_digests == null ? undefined : new Set(row_digests)
    this.limit = limit ?? Number.POSITIVE_INFINITY
  }

  /** Whether it takes no more rows. */
  get isFull(): boolean {
    return this.count >= this.limit
  }

  takes(rowDigest: string): boolean {
    if (this.isFull || (this.named !== undefined && !this.named.has(rowDigest))) return false
    if (this.split !== undefined && !isInSplit(this.split, rowDigest)) return false
    this.count++
    return true
  }

  /** The first named row that is not among these; undefined if all are. */
  missing(digests: ReadonlySet<string>): string | undefined {
    return [...(this.named ?? [])].find((each) => !digests.has(each))
  }
}

/**
 * How many rows of a dataset choices take, in the order of the choices, and how many it has.
 *
 * @throws DomainError InvalidRequest for a split that does not exist, or a named row that the
 *   dataset does not have; as `DatasetSource.rows`
 */
export async function countChosen(
  datasets: DatasetSource,
  reader: ProjectReader,
  dataset: string,
  choices: readonly RowChoice[],
): Promise<{ readonly counts: readonly number[]; readonly total: number }> {
  const selections = choices.map((choice) => new RowSelection(choice))
  const digests = new Set<string>()
  let total = 0
  for await (const batch of datasets.digests(reader, dataset)) {
    total += batch.length
    for (const digest of batch) {
      digests.add(digest)
      for (const selection of selections) selection.takes(digest)
    }
  }
  for (const selection of selections) {
    const missing = selection.missing(digests)
    if (missing === undefined) continue
    throw new DomainError('InvalidRequest', `The dataset has no row ${quoted(missing)}`)
  }
  return { counts: selections.map(({ count }) => count), total }
}

/** A choice as the call of a run states it. */
export const markOfChoice = ({ split, row_digests, limit }: RowChoice): ChosenRows => ({
  split: split ?? null,
  row_digests: row_digests?.length ?? null,
  limit: limit ?? null,
})

/**
 * Reads what the call of a run states of its rows.
 * @param mark the server's own member of its attributes
 */
export function chosenRowsIn(mark: Readonly<Record<string, unknown>>): {
  readonly chosen: ChosenRows | null
  readonly rowCount: number | null
} {
  const { rows, row_count } = mark
  const rowCount = numberIn(row_count)
  if (!isJsonObject(rows) || rowCount === null) return { chosen: null, rowCount: null }
  const { split } = rows
  const [row_digests, limit] = [numberIn(rows['row_digests']), numberIn(rows['limit'])]
  return { chosen: { split: typeof split === 'string' ? split : null, row_digests, limit }, rowCount }
}

function numberIn(value: unknown): number | null {
  const number = plainNumbers(value)
  return typeof number === 'number' ? number : null
}
