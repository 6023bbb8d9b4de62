import { spawn } from 'node:child_process'
import process from 'node:process'

const opener = (file: string): readonly [string, ...string[]] => {
  if (process.platform === 'darwin') return ['open', file]
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', file]
  return ['xdg-open', file]
}

/** Asks the desktop to show a file in the browser. Returns false if there is no desktop. */
export async function openInBrowser(file: string): Promise<boolean> {
  const [command, ...args] = opener(file)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  return await new Promise((resolve) => {
    // Openers either fail at once or stay as long as the browser.
    const patience = setTimeout(() => done(true), patienceMs)
    const done = (isOpen: boolean) => {
      clearTimeout(patience)
      child.unref()
      resolve(isOpen)
    }
    child.on('error', () => done(false))
    child.on('exit', (code) => done(code === 0))
  })
}

const patienceMs = 2_000
