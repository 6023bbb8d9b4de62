import { readdir } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { differences } from './differences.ts'
import { type ExpectedView, jsonColumns } from './expected.ts'
import { serveAndFill } from './served.ts'

/*
 * For the tests with other engines: `fill DATA EXPECTED` fills a data folder and writes what the
 * views over it must hold; `compare EXPECTED ROWS MICROS` prints what differs in VIEW.jsonl of a
 * folder, written by an engine that rounds times to so many microseconds; `compare-all DUCKDB ROWS
 * MICROS` prints what differs in any column of any view from the rows of DuckDB.
 */

/** The columns that identify a row of a view. */
const keys: Readonly<Record<string, readonly string[]>> = {
  prices: ['project_id', 'model', 'from_micros', 'above'],
  spans: ['project_id', 'call_id'],
  generations: ['project_id', 'call_id', 'model'],
  tool_calls: ['project_id', 'call_id'],
  messages: ['project_id', 'call_id', 'message_index'],
  traces: ['project_id', 'trace_id'],
  threads: ['project_id', 'thread_id'],
  scores: ['project_id', 'call_id', 'source', 'name'],
  evaluations: ['project_id', 'evaluation_call_id'],
  evaluation_rows: ['project_id', 'trial_call_id'],
}

const [, , command, first = '', second = '', third = ''] = process.argv

if (command === 'fill') await Bun.write(second, JSON.stringify(await serveAndFill(first)))
else if (command === 'compare') await compare(first, second, Number(third))
else if (command === 'compare-all') await compareAll(first, second, Number(third))
else throw new Error(`Unknown command ${command}: use fill, compare or compare-all`)

async function compare(expectedFile: string, folder: string, microsKept: number): Promise<void> {
  const expected = Object.entries<ExpectedView>(await Bun.file(expectedFile).json())
  for (const [view, rows] of expected) await print(view, rows, folder, microsKept)
}

async function compareAll(duckdb: string, folder: string, microsKept: number): Promise<void> {
  for (const file of (await readdir(duckdb)).sort()) {
    const view = path.basename(file, '.jsonl')
    const key = keys[view]
    if (key === undefined) throw new Error(`The view ${view} has no key here`)
    const rows = await rowsIn(duckdb, view)
    for (const row of rows)
      for (const name of jsonColumns) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name])
    await print(view, { key, rows }, folder, microsKept)
  }
}

async function print(view: string, expected: ExpectedView, folder: string, microsKept: number): Promise<void> {
  for (const fault of differences(view, expected, await rowsIn(folder, view), microsKept)) console.log(fault)
}

async function rowsIn(folder: string, view: string): Promise<Record<string, unknown>[]> {
  const lines = (await Bun.file(path.join(folder, `${view}.jsonl`)).text()).split('\n').filter(Boolean)
  return lines.map((line): Record<string, unknown> => JSON.parse(line))
}
