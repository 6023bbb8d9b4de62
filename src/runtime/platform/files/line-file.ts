import { appendFile, open } from 'node:fs/promises'
import { codeOf } from './files.ts'

/** Appends text to a file, which is created if necessary. Not durable. */
export async function appendFileText(file: string, text: string): Promise<void> {
  await appendFile(file, text, { mode: 0o600 })
}

/** The lines of a text file; none if it does not exist. */
export async function* findLines(file: string): AsyncGenerator<string> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(file, 'r')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return
    throw cause
  }
  try {
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}
