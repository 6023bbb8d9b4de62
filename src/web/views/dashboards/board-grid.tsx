import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Board } from '../../dashboard/cards/board.ts'
import type { CardEditing } from '../../dashboard/cards/card-editing.ts'
import { CardView } from '../../dashboard/cards/card-view.tsx'
import type { Span } from '../../filter/time-range.ts'
import css from './board-page.module.css'

interface BoardGridProps {
  readonly projectId: string
  readonly board: Board
  readonly span: Span
  readonly gridRef: RefObject<HTMLDivElement | null>
  /** Undefined while the dashboard is only read. */
  readonly editingOf: ((id: string) => CardEditing) | undefined
  readonly onSettled: (id: string, hasData: boolean) => void
}

/** The cards of a dashboard in their order, in a grid of 12 columns; one column on phones. */
export function BoardGrid({ projectId, board, span, gridRef, editingOf, onSettled }: BoardGridProps) {
  const hovered = useMemo(() => signal<number | undefined>(undefined), [])
  return (
    <div class={css.frame}>
      <div ref={gridRef} class={css.grid} data-editing={editingOf !== undefined}>
        {board.cards.map((card) => (
          <CardView
            key={card.id}
            projectId={projectId}
            card={card}
            span={span}
            hovered={hovered}
            editing={editingOf?.(card.id)}
            onSettled={onSettled}
          />
        ))}
      </div>
    </div>
  )
}
