import process from 'node:process'
import { createInterface } from 'node:readline/promises'

/** Asks a question in the terminal; false without a terminal. */
export async function askYesNo(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
