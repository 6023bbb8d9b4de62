/**
 * Loaded before a server: kills it at the file operation whose number is in `TORTURE_KILL_AT`,
 * counted below the folder in `TORTURE_FOLDER`.
 */
import process from 'node:process'
import { installed } from './hooks.ts'
import './install-program.ts'

const at = Number(process.env['TORTURE_KILL_AT'])
const folder = String(process.env['TORTURE_FOLDER'])
let count = 0

installed.hooks = {
  before: ({ kind, path }) => {
    const counts = kind !== 'read' && kind !== 'open' && path.startsWith(folder)
    if (counts && ++count === at) process.kill(process.pid, 'SIGKILL')
    return { does: 'pass' }
  },
  done: () => {},
}
