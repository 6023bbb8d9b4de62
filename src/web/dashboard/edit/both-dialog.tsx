import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { boardText } from '../../text/board.ts'
import { authorOf } from '../../versions/objects.ts'
import type { Board } from '../cards/board.ts'
import { titleOf } from '../cards/card-data.ts'
import type { SavedBoard } from '../saved-dashboards.ts'
import { comparedWith } from './arrange.ts'
import css from './both-dialog.module.css'

interface BothDialogProps {
  readonly saved: SavedBoard
  readonly own: Board
  readonly onClose: () => void
  readonly onTakeTheirs: () => void
}

const words = boardText.both

/** The version that came first and the unsaved one, card by card. */
export function BothDialog({ saved, own, onClose, onTakeTheirs }: BothDialogProps) {
  const { version, board } = saved
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      class={css.dialog}
      foot={
        <>
          <Button autofocus hint="esc" onClick={onClose}>
            {words.keep}
          </Button>
          <Button kind="danger" onClick={onTakeTheirs}>
            {words.takeTheirs}
          </Button>
        </>
      }
    >
      <div class={css.both}>
        <Side title={words.theirs(version.version_index, authorOf(version))} board={board} other={own} />
        <Side title={words.yours} board={own} other={board} />
      </div>
    </Dialog>
  )
}

const Side = ({ title, board, other }: { title: string; board: Board; other: Board }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    <ol class={css.cards} aria-label={words.rest}>
      {comparedWith(board, other).map(({ card, is }) => (
        <li key={card.id} data-is={is}>
          <span class="cut" dir="auto">
            {titleOf(card)}
          </span>
          <span class={css.size}>{boardText.size(card.width, card.height)}</span>
          {is === 'same' ? (
            <span class={css.same}>{words.same}</span>
          ) : (
            <Badge tone={is === 'added' ? 'ok' : 'warn'}>{words[is]}</Badge>
          )}
        </li>
      ))}
    </ol>
  </section>
)
