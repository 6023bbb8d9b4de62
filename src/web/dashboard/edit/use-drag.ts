import { useRef, useState } from 'preact/hooks'
import type { Board } from '../cards/board.ts'
import { moved, resized } from './arrange.ts'

/** The click that letting go makes is none on a card. */
function ignoreClick(): void {
  const ignore = (event: Event): void => event.stopPropagation()
  addEventListener('click', ignore, true)
  setTimeout(() => removeEventListener('click', ignore, true))
}

/** Distance between cards, and height of a row of the grid: as in the style of the grid. */
const gridGap = 12
const gridRow = 96

/**
 * Moves and sizes cards with the pointer. While it is down, `preview` is the dashboard as it would
 * be; letting go changes it, Escape does not.
 */
export function useDrag(board: Board, change: (next: Board) => void, ended: (id: string) => void) {
  const [drag, setDrag] = useState<{ readonly id: string; readonly kind: 'move' | 'size'; readonly preview: Board }>()
  const latest = useRef<Board | undefined>(undefined)

  const begin = (id: string, kind: 'move' | 'size', event: PointerEvent, next: (event: PointerEvent) => Board) => {
    if (event.button !== 0) return
    event.preventDefault()
    const show = (preview: Board): void => {
      latest.current = preview
      setDrag({ id, kind, preview })
    }
    const move = (at: PointerEvent): void => show(next(at))
    const end = (isKept: boolean): void => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', keep)
      removeEventListener('pointercancel', leave)
      removeEventListener('keydown', cancel, true)
      setDrag(undefined)
      if (latest.current !== board) ignoreClick()
      if (isKept && latest.current) change(latest.current)
      latest.current = undefined
      ended(id)
    }
    const keep = (): void => end(true)
    const leave = (): void => end(false)
    const cancel = (pressed: KeyboardEvent): void => {
      if (pressed.key !== 'Escape') return
      pressed.stopPropagation()
      end(false)
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', keep)
    addEventListener('pointercancel', leave)
    addEventListener('keydown', cancel, true)
    show(board)
  }

  const grab = (id: string, event: PointerEvent): void =>
    begin(id, 'move', event, ({ clientX, clientY }) => {
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-card]')?.dataset['card']
      const now = latest.current ?? board
      const to = now.cards.findIndex((card) => card.id === under)
      return under === undefined || under === id || to < 0 ? now : moved(now, id, to)
    })

  const stretch = (id: string, event: PointerEvent): void => {
    const card = board.cards.find((each) => each.id === id)
    const box = (event.target as Element).closest('[data-card]')?.getBoundingClientRect()
    if (card === undefined || box === undefined) return
    const column = (box.width + gridGap) / card.width
    begin(id, 'size', event, ({ clientX, clientY }) =>
      resized(
        board,
        id,
        Math.round((clientX - box.left + gridGap) / column),
        Math.round((clientY - box.top + gridGap) / (gridRow + gridGap)),
      ),
    )
  }
  return { shown: drag?.preview ?? board, dragged: drag?.kind === 'move' ? drag.id : undefined, grab, stretch }
}
