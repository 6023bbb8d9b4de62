import { expect, test } from 'bun:test'
import { type Board, boardOf, contentOf, isSameBoard, newCard } from '../cards/board.ts'
import { changesBetween, comparedWith, duplicated, inserted, moved, removed, resized } from './arrange.ts'

const board: Board = {
  label: 'Upgrades',
  range: { kind: 'last', ms: 604_800_000 },
  cards: ['a', 'b', 'c'].map((id) => newCard({ id, title: id })),
}
const order = ({ cards }: Board) => cards.map(({ id }) => id).join('')

test('cards are moved, within the dashboard', () => {
  expect(order(moved(board, 'a', 2))).toBe('bca')
  expect(order(moved(board, 'c', -1))).toBe('cab')
  expect(order(moved(board, 'a', 9))).toBe('bca')
  expect(moved(board, 'nothing', 0)).toBe(board)
})

test('sizes stay within the grid', () => {
  const sizeOf = (width: number, height: number) => {
    const card = resized(board, 'b', width, height).cards[1]
    return [card?.width, card?.height]
  }
  expect(sizeOf(4, 2)).toEqual([4, 2])
  expect(sizeOf(40, 40)).toEqual([12, 8])
  expect(sizeOf(-1, 0)).toEqual([2, 1])
})

test('a copy has its own id and follows the card', () => {
  const made = duplicated(board, 'a')
  expect(made?.board.cards.map(({ title }) => title)).toEqual(['a', 'a', 'b', 'c'])
  expect(new Set(made?.board.cards.map(({ id }) => id)).size).toBe(4)
  expect(made?.board.cards[1]?.id).toBe(made?.copy)
})

test('changes are counted by card', () => {
  expect(changesBetween(board, board)).toBe(0)
  expect(changesBetween(board, resized(board, 'a', 3, 3))).toBe(1)
  expect(changesBetween(board, removed(board, 'a'))).toBe(1)
  expect(changesBetween(board, moved(board, 'a', 2))).toBe(1)
  expect(changesBetween(board, { ...inserted(board, newCard({ id: 'd' }), 'a'), label: 'Other' })).toBe(2)
  expect(comparedWith(resized(board, 'a', 3, 3), board).map(({ is }) => is)).toEqual(['changed', 'same', 'same'])
})

test('what is stored is read again', () => {
  const sql = newCard({ id: 'q', shape: 'table', source: { kind: 'sql', statement: 'select 1' } })
  const scored = newCard({ id: 's' }, { metric: 'score', scorePath: 'output.ok', scoreType: 'judge', group: 'model' })
  const whole = { ...board, cards: [...board.cards, sql, scored] }
  const read = boardOf(JSON.parse(JSON.stringify(contentOf(whole))), 'id')
  expect(read).toEqual(whole)
  expect(read && isSameBoard(read, whole)).toBe(true)
})

test('odd content becomes the usual choice', () => {
  const read = boardOf({ cards: [{ width: 99, height: 'x', metric: 'none', shape: 7 }, 'card', null] }, 'id')
  expect(read?.label).toBe('id')
  expect(read?.cards).toEqual([newCard({ id: 'card-0', width: 12 })])
  expect(boardOf({ label: 'Old', op: 'x', range: '-7d' }, 'id')).toBeUndefined()
})
