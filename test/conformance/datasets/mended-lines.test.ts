import { describe, expect, test } from 'bun:test'
import { DatasetFiles } from '../support/datasets.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const fresh = () => new DatasetFiles(freshProject(server))

const seats = { columns: [{ source: 'seats', type: 'number' }] }
/** Two faults in line 3, one in line 5. */
const file = 'task,seats,price\nOne,1,2\nTwo,x,y\nThree,3,4\nFour\nFive,5,6\n'
const both = {
  columns: [
    { source: 'seats', type: 'number' },
    { source: 'price', type: 'number' },
  ],
}

describe('lines with faults', () => {
  test('are left out if they are exactly as many as the caller says', async () => {
    const data = fresh()
    const refused = await data.ask(file, both)
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({ fault_count: 3, faulty_lines: 2 })
    for (const leave_out_lines of [1, 3]) {
      const other = await data.ask(file, { ...both, leave_out_lines })
      expect([other.status, other.json.faulty_lines]).toEqual([422, 2])
    }
    expect(await data.versions()).toBe(0)
    const made = await data.import(file, { ...both, leave_out_lines: 2 })
    expect(made).toMatchObject({ rows: 3, added: 3, skipped: 0, left_out: 2 })
    expect((await data.rows(made.digest)).map((row) => JSON.parse(row).task)).toEqual(['One', 'Three', 'Five'])
  })

  test('are left out of JSON Lines, too', async () => {
    const lines = '{"a":1}\n{"a":\n[]\n{"a":2}\n'
    const made = await fresh().import(lines, { format: 'jsonl', leave_out_lines: 2 }, 'rows.jsonl')
    expect(made).toMatchObject({ rows: 2, left_out: 2 })
  })

  test('are not left out where it is unsure what else is lost', async () => {
    for (const [content, options] of [
      ['a,b\n1,2\n3,"x\n4,5\n', {}],
      ['a,b\n5" pipe,1\n2,3\n', {}],
      ['a,b,a\n1,2,3\n', { header: true }],
      ['a,b\n1\n2,3\n4,"x\n', {}],
    ] as const) {
      const data = fresh()
      for (const leave_out_lines of [undefined, 1, 2, 3]) {
        const answer = await data.ask(content, { ...options, leave_out_lines })
        expect([answer.status, answer.json.faulty_lines]).toEqual([422, null])
      }
      expect(await data.versions()).toBe(0)
    }
  })

  test('a file without faults is refused if some are to be left out', async () => {
    const data = fresh()
    expectRefusal(await data.ask('a\n1\n', { leave_out_lines: 1 }), 400, 'no line of the file has a fault')
    const negative = await data.ask('a\n1\n', { leave_out_lines: -1 })
    expect([negative.status, negative.text.includes('leave_out_lines')]).toEqual([422, true])
    expect(await data.versions()).toBe(0)
    expect(await data.import('a\n1\n', { leave_out_lines: 0 })).toMatchObject({ rows: 1, left_out: 0 })
  })
})

describe('a corrected cell', () => {
  test('is read in place of that of the file, with its type', async () => {
    const data = fresh()
    const content = 'task,seats\nOne,1\n"two\nlines",x\nThree,y\n'
    const corrections = [
      { line: 3, column: 'seats', value: '2.50' },
      { line: 5, column: 'seats', value: '' },
      { line: 2, column: 'task', value: 'Uno, "1"' },
    ]
    const made = await data.import(content, { ...seats, corrections })
    expect(await data.rows(made.digest)).toEqual([
      '{"task":"Uno, \\"1\\"","seats":1}',
      '{"task":"two\\nlines","seats":2.50}',
      '{"task":"Three","seats":null}',
    ])
    const lines = '{"seats":"1"}\n{"seats":"x"}\n'
    const jsonl = { format: 'jsonl', ...seats, corrections: [{ line: 2, column: 'seats', value: '7' }] }
    const mended = await fresh().import(lines, jsonl, 'rows.jsonl')
    expect(mended.rows).toBe(2)
  })

  test('that is wrong itself is a fault with its value', async () => {
    const data = fresh()
    const answer = await data.ask('seats\nx\n', { ...seats, corrections: [{ line: 2, column: 'seats', value: '2O' }] })
    expect(answer.status).toBe(422)
    expect(answer.json.faults).toEqual([{ line: 2, column: 'seats', value: '2O', reason: 'it is not a number' }])
  })

  test('that the file does not have is refused', async () => {
    const data = fresh()
    for (const [line, column] of [
      [9, 'seats'],
      [2, 'other'],
      [1, 'seats'],
    ] as const) {
      const answer = await data.ask('seats\n1\n', { ...seats, corrections: [{ line, column, value: '1' }] })
      expectRefusal(answer, 400, 'the file has no such cell')
    }
    const many = Array.from({ length: 101 }, (_, at) => ({ line: at + 2, column: 'seats', value: '1' }))
    const tooMany = await data.ask('seats\n1\n', { ...seats, corrections: many })
    expect([tooMany.status, tooMany.text.includes('corrections')]).toEqual([422, true])
    expect(await data.versions()).toBe(0)
  })
})
