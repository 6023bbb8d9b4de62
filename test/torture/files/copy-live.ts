import { cpSync, rmSync } from 'node:fs'

const attemptsMax = 10

/**
 * Copies a folder while its store goes on in other threads. A file that is renamed meanwhile makes
 * the copy begin again.
 */
export function copyLive(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      cpSync(from, to, { recursive: true })
      return
    } catch (cause) {
      const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
      if (!isGone || attempt === attemptsMax) throw cause
      rmSync(to, { recursive: true, force: true })
    }
  }
}
