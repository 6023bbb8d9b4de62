import { describe, expect, test } from 'bun:test'
import { callsTable } from '../engine/tables/calls-table.ts'
import { cellAt, keyPositions, positionOf, rowShape, shapedColumns, shapedRows } from './typed-rows.ts'

const shape = rowShape({ id: 'text', started_at: 'time', ended_at: 'time?', input_refs: 'texts?' })

describe('cells of a row', () => {
  const row = callsTable.tombstone('entity/project', 'call', 5)

  test('have the type of their column', () => {
    const id: string = cellAt(row, callsTable.at.id)
    // @ts-expect-error A call that runs has no end.
    const endedAt: number = cellAt(row, callsTable.at.ended_at)
    expect(id).toBe('call')
    expect(endedAt).toBe(null as never)
  })

  test('are found by key, and by name and type', () => {
    const { project, id } = keyPositions(callsTable)
    expect([cellAt(row, project), cellAt(row, id)]).toEqual(['entity/project', 'call'])
    expect(cellAt(row, positionOf(callsTable, 'written_at', 'time'))).toBe(5)
    expect(() => positionOf(callsTable, 'written_at', 'text')).toThrow(
      'Column written_at of table calls is not of type text',
    )
  })
})

describe('the shape of an answer', () => {
  test('names the cells of a row', () => {
    const { id, ended_at } = shape.read(['a', 1, null, ['x']])
    const endedAt: number | null = ended_at
    expect([id.length, endedAt]).toEqual([1, null])
  })

  test('refuses other cells', () => {
    expect(() => shape.read(['a', null, null, null])).toThrow('Cannot read a row: started_at is null instead of time')
    expect(() => shape.read(['a', 'b', null, null])).toThrow('Cannot read a row: started_at is a text instead of time')
    expect(() => shape.read(['a', 1])).toThrow(
      'Cannot read a row: 2 columns instead of id, started_at, ended_at, input_refs',
    )
    expect(() => shape.readColumns([['a'], [null], [null], [null]])).toThrow('started_at is null instead of time')
  })

  test('names the columns of many rows', () => {
    const columns = [
      ['a', 'b'],
      [1, 2],
      [null, 3],
      [null, null],
    ]
    const { id, ended_at } = shapedColumns({ shape }, columns)
    expect(id.map((text, row) => text + ended_at[row])).toEqual(['anull', 'b3'])
  })

  test('is optional', () => {
    expect(shapedRows({}, [['a']])).toEqual([['a']])
    expect(shapedColumns({}, [['a']])).toEqual([['a']])
  })
})
