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

const interrupt = '\u0003'
const endOfInput = '\u0004'
const erasing = new Set(['\u007f', '\b'])

/**
 * Reads a secret: all of standard input if it is a file or a pipe, otherwise one line of the
 * terminal without echo. A trailing line break is dropped.
 */
export async function readSecretInput(prompt: string): Promise<string> {
  return process.stdin.isTTY ? await readHiddenLine(prompt) : await readAll()
}

async function readAll(): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

function readHiddenLine(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(prompt)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve) => {
    let line = ''
    const finish = () => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      resolve(line)
    }
    const take = (keys: string) => {
      for (const key of keys) {
        if (key === interrupt) {
          stdin.setRawMode(false)
          process.exit(130)
        }
        if (key === '\r' || key === '\n' || key === endOfInput) return finish()
        line = erasing.has(key) ? line.slice(0, -1) : line + key
      }
    }
    stdin.on('data', take)
  })
}
