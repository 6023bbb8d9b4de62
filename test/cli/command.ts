import { join } from 'node:path'
import process from 'node:process'
import { programFile } from '../conformance/support/program-file.ts'
import { withoutProgress } from './without-progress.ts'

const repository = join(import.meta.dir, '../..')

/** The program as an operator starts it, in a separate process. */
export class CommandChild {
  private readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>

  constructor(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TRACELAKE_'))
    this.child = Bun.spawn([process.execPath, programFile, ...words], {
      cwd: repository,
      env: { ...Object.fromEntries(inherited), TRACELAKE_MEMORY_MB: '256', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  /** Kills the process, like a power cut; returns whether it was still running. */
  async kill(): Promise<boolean> {
    this.child.kill('SIGKILL')
    await this.child.exited
    return this.child.signalCode === 'SIGKILL'
  }

  /** Asks the process to end, like Ctrl-C or a supervisor. */
  interrupt(): void {
    this.child.kill('SIGTERM')
  }

  async ended(): Promise<{ out: string; err: string; code: number }> {
    const [out, err, code] = await Promise.all([
      new Response(this.child.stdout).text(),
      new Response(this.child.stderr).text(),
      this.child.exited,
    ])
    return { out, err: withoutProgress(err), code }
  }
}

/** Runs a command to completion. */
export const runCommand = (...words: string[]) => new CommandChild(words).ended()
