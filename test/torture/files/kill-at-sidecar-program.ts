/**
 * Loaded before a program: kills it at the operation whose number is in `TORTURE_KILL_AT` among
 * those on files whose names contain `TORTURE_KILL_NAME`. Of a file that was not complete yet, half
 * stays.
 */
import { existsSync, statSync, truncateSync } from 'node:fs'
import process from 'node:process'
import { installed } from './hooks.ts'
import './install-program.ts'

const at = Number(process.env['TORTURE_KILL_AT'])
const name = String(process.env['TORTURE_KILL_NAME'])
let count = 0

installed.hooks = {
  before: ({ kind, path }) => {
    const counts = kind !== 'read' && kind !== 'open' && path.includes(name)
    if (counts && ++count === at) {
      if (path.endsWith('.tmp') && existsSync(path)) truncateSync(path, Math.floor(statSync(path).size / 2))
      process.kill(process.pid, 'SIGKILL')
    }
    return { does: 'pass' }
  },
  done: () => {},
}
