import { stderrIsTerminal, writeStderr } from '../runtime/platform/runtime.ts'

const pauseMs = 1_000

/**
 * Reports progress on standard error once a second: in place on a terminal, otherwise line by line.
 * Work that finishes within a second reports nothing.
 */
export class Progress {
  private readonly isTerminal = stderrIsTerminal()
  private saidMs = performance.now()
  private width = 0

  readonly say = (what: string, done: number, of?: number): void => {
    if (performance.now() - this.saidMs < pauseMs) return
    this.saidMs = performance.now()
    const [count, all] = [done.toLocaleString('en-US'), of?.toLocaleString('en-US')]
    this.write(all === undefined ? `${what}: ${count}` : `${what}: ${count} of ${all}`)
  }

  /** Clears the progress line of a terminal. */
  end(): void {
    if (this.isTerminal && this.width > 0) writeStderr(`\r${' '.repeat(this.width)}\r`)
    this.width = 0
  }

  private write(line: string): void {
    writeStderr(this.isTerminal ? `\r${line.padEnd(this.width)}` : `${line}\n`)
    this.width = Math.max(this.width, line.length)
  }
}
