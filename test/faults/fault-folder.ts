import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Operation, readOperations } from './op-log.ts'

const source = join(import.meta.dir, 'fault-fs.c')

/** Builds the file system; a string says why it is unavailable here. */
export function buildFaultFs(folder: string): { program: string } | { missing: string } {
  const program = join(folder, 'fault-fs')
  if (Bun.which('gcc') === null || Bun.which('pkg-config') === null) return { missing: 'gcc or pkg-config' }
  const flags = Bun.spawnSync(['pkg-config', 'fuse3', '--cflags', '--libs'])
  if (flags.exitCode !== 0) return { missing: 'libfuse3-dev' }
  const words = flags.stdout.toString().trim().split(/\s+/)
  const built = Bun.spawnSync(['gcc', '-O2', '-o', program, source, ...words, '-lpthread'])
  return built.exitCode === 0 ? { program } : { missing: `a compiler that builds it: ${built.stderr.toString()}` }
}

/** A mounted file system that fails on command and logs every operation. */
export class FaultFolder implements AsyncDisposable {
  /** The mount point. */
  readonly path: string
  private readonly parent: string
  private readonly child: Bun.Subprocess
  private readonly commands: number

  private constructor(parent: string, child: Bun.Subprocess) {
    this.parent = parent
    this.path = join(parent, 'mnt')
    this.child = child
    // Opened for reading and writing, because opening one end would block.
    this.commands = openSync(join(parent, 'commands'), 'r+')
  }

  /** @throws Error if it cannot be mounted here */
  static async mount(program: string): Promise<FaultFolder> {
    const parent = mkdtempSync(join(tmpdir(), 'tracelake-faults-'))
    const at = (name: string) => join(parent, name)
    for (const name of ['backing', 'mnt']) mkdirSync(at(name))
    Bun.spawnSync(['mkfifo', at('commands')])
    const words = [program, at('backing'), at('log'), at('commands'), at('mnt'), '-f', '-s']
    const child = Bun.spawn(words, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    for (let tries = 0; Bun.spawnSync(['mountpoint', '-q', at('mnt')]).exitCode !== 0; tries++) {
      if (tries > 100 || child.exitCode !== null)
        throw new Error(`Mount a file system: ${await new Response(child.stderr as ReadableStream).text()}`)
      await Bun.sleep(50)
    }
    return new FaultFolder(parent, child)
  }

  /**
   * Writes a mark to the log, after all completed operations and before any later one.
   */
  mark(text: string): void {
    existsSync(join(this.path, `.mark ${text}`))
  }

  /** Makes operations on paths matching `pattern` fail from now on, `times` times. */
  async fail(kind: string, error: string, pattern = '*', times = -1): Promise<void> {
    writeSync(this.commands, `fail ${kind} ${error} ${times} ${pattern}\n`)
    await Bun.sleep(100)
  }

  async clear(): Promise<void> {
    writeSync(this.commands, 'clear\n')
    await Bun.sleep(100)
  }

  async operations(): Promise<Operation[]> {
    await this.unmount()
    return readOperations(readFileSync(join(this.parent, 'log')))
  }

  async unmount(): Promise<void> {
    if (this.child.exitCode !== null) return
    Bun.spawnSync(['umount', '-l', this.path])
    await Promise.race([this.child.exited, Bun.sleep(5_000)])
    if (this.child.exitCode === null) this.child.kill()
    await this.child.exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.unmount()
    rmSync(this.parent, { recursive: true, force: true })
  }
}
