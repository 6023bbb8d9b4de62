import { saveBlob } from '../../api/download.ts'
import { csvBlob, csvLine } from '../../format/csv.ts'
import { pictureOf } from '../../picture/picture.ts'
import { exportRows, type Times } from '../../sql/run-statement.ts'
import { hasTimes } from '../../sql/time-parameters.ts'
import { showToast } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import type { Card } from './board.ts'
import { type CardData, titleOf } from './card-data.ts'

/** Saves what a card shows: a line for each time, a column for each group; or its rows of SQL. */
export async function exportCsv(card: Card, data: CardData | undefined, times: Times): Promise<void> {
  if (card.source.kind === 'sql') {
    const { statement } = card.source
    await exportRows(statement, 'csv', hasTimes(statement) ? times : undefined)
    return
  }
  if (data === undefined) return
  const file = `${fileName(titleOf(card))}.csv`
  saveBlob(csvBlob(linesOf(data)), file)
  showToast({ kind: 'done', text: boardText.exported(file) })
}

/** Lines of a card: the beginning of each stretch of time in UTC and the value of each series. */
export const linesOf = ({ buckets, series }: CardData): string[] => [
  csvLine([boardText.time, ...series.map(({ name }) => name)]),
  ...buckets.map(({ from }, index) =>
    csvLine([new Date(from).toISOString(), ...series.map(({ values }) => values[index] ?? null)]),
  ),
]

/** Saves a card, or a whole dashboard, as it looks on the page. */
export async function exportPicture(element: HTMLElement, of: Card | string): Promise<void> {
  const file = `${fileName(typeof of === 'string' ? of : titleOf(of))}.png`
  saveBlob(await pictureOf(element), file)
  showToast({ kind: 'done', text: boardText.exported(file) })
}

const fileName = (title: string): string =>
  title.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'card'
