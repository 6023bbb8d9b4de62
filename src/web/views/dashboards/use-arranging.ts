import { useState } from 'preact/hooks'
import { newCard } from '../../dashboard/cards/board.ts'
import { titleOf } from '../../dashboard/cards/card-data.ts'
import type { CardEditing } from '../../dashboard/cards/card-editing.ts'
import { duplicated, hasRoom, inserted, moved, removed, resized } from '../../dashboard/edit/arrange.ts'
import type { EditedBoard } from '../../dashboard/edit/use-board.ts'
import { useDrag } from '../../dashboard/edit/use-drag.ts'
import { offerUndo } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'

interface ArrangingOptions {
  readonly edited: EditedBoard
  /** Id of the card whose panel is open. */
  readonly chosen: string
  readonly open: (id: string) => void
  readonly isPhone: boolean
}

/** Adds, moves, sizes, copies and deletes cards, by pointer and by keys. */
export function useArranging({ edited, chosen, open, isPhone }: ArrangingOptions) {
  const { board, change, undo } = edited
  const [said, say] = useState('')
  const choose = (id: string): void => {
    if (!isPhone && id !== chosen) open(id)
  }
  // Opening the panel would narrow the grid, and all cards would jump under the pointer.
  const drag = useDrag(board, change, (id) => {
    if (chosen !== '') choose(id)
  })
  const placeOf = (id: string): number => board.cards.findIndex((card) => card.id === id)

  /** Moves the focus to a card once it is drawn. */
  const focus = (id: string): void => {
    requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`)
      card?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest' })
    })
  }
  const add = (): void => {
    if (!hasRoom(board)) return
    const card = newCard()
    change(inserted(board, card, chosen))
    open(card.id)
    say(boardText.cardAdded)
    focus(card.id)
  }
  const duplicate = (id: string): void => {
    const made = hasRoom(board) ? duplicated(board, id) : undefined
    if (made === undefined) return
    change(made.board)
    open(made.copy)
    focus(made.copy)
  }
  const remove = (id: string): void => {
    const at = placeOf(id)
    const card = board.cards[at]
    if (card === undefined) return
    const next = board.cards[at + 1] ?? board.cards[at - 1]
    change(removed(board, id))
    open('')
    offerUndo({ text: boardText.cardDeleted(titleOf(card)), undo })
    if (next) focus(next.id)
  }
  const move = (id: string, by: -1 | 1): void => {
    const card = board.cards[placeOf(id)]
    const to = placeOf(id) + by
    if (card === undefined || to < 0 || to >= board.cards.length) return
    change(moved(board, id, to))
    say(boardText.moved(titleOf(card), to + 1, board.cards.length))
    focus(id)
  }
  const size = (id: string, wider: number, higher: number): void => {
    const card = board.cards[placeOf(id)]
    if (card === undefined) return
    const next = resized(board, id, card.width + wider, card.height + higher)
    change(next)
    const now = next.cards.find((each) => each.id === id)
    if (now) say(boardText.sized(titleOf(now), now.width, now.height))
  }

  const key = (id: string, event: KeyboardEvent): void => {
    if (event.defaultPrevented || !(event.target instanceof Element) || event.target.closest('[role=menu]')) return
    const done = keyed(id, event)
    if (!done) return
    event.preventDefault()
    event.stopPropagation()
  }
  const keyed = (id: string, event: KeyboardEvent): boolean => {
    const step = steps[event.key]
    const hasOther = event.ctrlKey || event.metaKey
    if (step && event.altKey && !event.shiftKey && !hasOther) move(id, step.move)
    else if (step && event.shiftKey && !event.altKey && !hasOther) size(id, step.wider, step.higher)
    else if (event.altKey || event.shiftKey || hasOther || event.target !== event.currentTarget) return false
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(id)
    else if (event.key === 'd') duplicate(id)
    else if (event.key === 'Enter') {
      open(id)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-panel] input')?.focus())
    } else return false
    return true
  }

  const editingOf = (id: string): CardEditing => ({
    isChosen: id === chosen,
    isDragged: id === drag.dragged,
    choose: () => choose(id),
    open: () => open(id),
    duplicate: () => duplicate(id),
    remove: () => remove(id),
    move: (by) => move(id, by),
    grab: (event) => drag.grab(id, event),
    stretch: (event) => drag.stretch(id, event),
    key: (event) => key(id, event),
  })
  return { shown: drag.shown, said, add, duplicate, remove, focus, editingOf }
}

const steps: Readonly<Record<string, { readonly move: -1 | 1; readonly wider: number; readonly higher: number }>> = {
  ArrowLeft: { move: -1, wider: -1, higher: 0 },
  ArrowRight: { move: 1, wider: 1, higher: 0 },
  ArrowUp: { move: -1, wider: 0, higher: -1 },
  ArrowDown: { move: 1, wider: 0, higher: 1 },
}
