import { ArrowLeft, ArrowRight, Copy, Download, Image, List, Pencil, SquareTerminal, Trash2 } from 'lucide'
import type { RefObject } from 'preact'
import type { Span } from '../../chart/span.ts'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { timesOf, withTimes } from '../../sql/time-parameters.ts'
import { sqlPath } from '../../state/paths.ts'
import { isOperator } from '../../state/session.ts'
import { showError } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import type { Card } from './board.ts'
import { callsHref } from './card-calls.ts'
import type { CardData } from './card-data.ts'
import type { CardEditing } from './card-editing.ts'
import { areTraces } from './card-request.ts'

interface MenuOptions {
  readonly projectId: string
  readonly card: Card
  readonly span: Span
  readonly data: CardData | undefined
  readonly frame: RefObject<HTMLElement | null>
  readonly editing: CardEditing | undefined
}

/** What can be done with a card: see its rows, save it as a file, and change it while editing. */
export function cardMenu({ projectId, card, span, data, frame, editing }: MenuOptions): MenuItem[] {
  const { source } = card
  const exports = () => import('./card-export.ts')
  const rows: MenuItem[] =
    source.kind === 'sql'
      ? isOperator.value
        ? [
            {
              icon: SquareTerminal,
              label: boardText.openSql,
              href: sqlPath(withTimes(source.statement, timesOf(span))),
            },
          ]
        : []
      : data === undefined
        ? []
        : [
            {
              icon: List,
              label: areTraces(source) ? boardText.openTraces : boardText.openCalls,
              href: callsHref(projectId, source, span, undefined, data.series),
            },
          ]
  const canExport = source.kind === 'sql' ? isOperator.value : data !== undefined
  const files: MenuItem[] = [
    {
      icon: Download,
      label: boardText.csv,
      disabled: !canExport,
      run: () =>
        void exports()
          .then(({ exportCsv }) => exportCsv(card, data, timesOf(span)))
          .catch(showError),
    },
    {
      icon: Image,
      label: boardText.png,
      run: () =>
        void exports()
          .then(({ exportPicture }) => frame.current && exportPicture(frame.current, card))
          .catch(showError),
    },
  ]
  const changes: MenuItem[] = editing
    ? [
        { icon: Pencil, label: boardText.editCard, separator: true, run: editing.open },
        { icon: Copy, label: boardText.duplicate, hint: 'D', run: editing.duplicate },
        { icon: ArrowLeft, label: boardText.moveEarlier, hint: '⌥←', run: () => editing.move(-1) },
        { icon: ArrowRight, label: boardText.moveLater, hint: '⌥→', run: () => editing.move(1) },
        { icon: Trash2, label: boardText.remove, hint: '⌫', danger: true, run: editing.remove },
      ]
    : []
  return [...rows, ...files, ...changes]
}
