import { type Board, boardLimits, type Card, clamped, contentOf, newId } from '../cards/board.ts'

/** The dashboard with one card changed. */
export const withCard = (board: Board, id: string, change: (card: Card) => Card): Board => ({
  ...board,
  cards: board.cards.map((card) => (card.id === id ? change(card) : card)),
})

/** The dashboard with a card at another place. */
export function moved(board: Board, id: string, to: number): Board {
  const card = board.cards.find((each) => each.id === id)
  if (card === undefined) return board
  const others = board.cards.filter((each) => each !== card)
  const place = clamped(to, 0, others.length)
  return { ...board, cards: [...others.slice(0, place), card, ...others.slice(place)] }
}

/** The dashboard with a card of another size, within the limits. */
export const resized = (board: Board, id: string, width: number, height: number): Board =>
  withCard(board, id, (card) => ({
    ...card,
    width: clamped(width, boardLimits.widthMin, boardLimits.columns),
    height: clamped(height, boardLimits.heightMin, boardLimits.heightMax),
  }))

/** The dashboard without a card. */
export const removed = (board: Board, id: string): Board => ({
  ...board,
  cards: board.cards.filter((card) => card.id !== id),
})

/** The dashboard with a card after another one, or at the end. */
export function inserted(board: Board, card: Card, after?: string): Board {
  const at = board.cards.findIndex(({ id }) => id === after)
  const place = at < 0 ? board.cards.length : at + 1
  return { ...board, cards: [...board.cards.slice(0, place), card, ...board.cards.slice(place)] }
}

/** The dashboard with a copy of a card after it, and the id of the copy. */
export function duplicated(board: Board, id: string): { readonly board: Board; readonly copy: string } | undefined {
  const card = board.cards.find((each) => each.id === id)
  if (card === undefined) return undefined
  const copy = newId()
  return { board: inserted(board, { ...card, id: copy }, id), copy }
}

/** Whether a dashboard has room for another card. */
export const hasRoom = ({ cards }: Board): boolean => cards.length < boardLimits.cardsMax

/** How a card of one dashboard differs from that of another: a word for each, in their order. */
export type CardChange = 'same' | 'changed' | 'added'

const textOf = (card: Card): string => JSON.stringify(contentOf({ label: '', range: { kind: 'all' }, cards: [card] }))

/** What the cards of a dashboard are, compared with another one. */
export function comparedWith(board: Board, other: Board): readonly { readonly card: Card; readonly is: CardChange }[] {
  const others = new Map(other.cards.map((card) => [card.id, textOf(card)]))
  return board.cards.map((card) => {
    const known = others.get(card.id)
    return { card, is: known === undefined ? 'added' : known === textOf(card) ? 'same' : 'changed' }
  })
}

/** How many cards differ, and whether their order or anything else does. */
export function changesBetween(before: Board, after: Board): number {
  const own = comparedWith(after, before).filter(({ is }) => is !== 'same').length
  const gone = comparedWith(before, after).filter(({ is }) => is === 'added').length
  const both = (board: Board, other: Board) =>
    board.cards.filter(({ id }) => other.cards.some((card) => card.id === id)).map(({ id }) => id)
  const isReordered = both(before, after).join() !== both(after, before).join()
  const { cards: _, ...rest } = contentOf({ ...before, cards: [] })
  const { cards: __, ...otherRest } = contentOf({ ...after, cards: [] })
  return own + gone + Number(isReordered) + Number(JSON.stringify(rest) !== JSON.stringify(otherRest))
}
