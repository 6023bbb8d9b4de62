import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BenchServer, buildProgram } from './bench-server.ts'

export interface BenchOptions {
  readonly isTiny: boolean
  readonly profileFolder: string | undefined
  readonly storedCalls?: number | undefined
  /** How long a benchmark of steady load runs. */
  readonly minutes?: number | undefined
  /** Another checkout of the program, to compare with. */
  readonly checkoutBefore?: string | undefined
  /** Program of a VictoriaTraces server, to compare with. */
  readonly victoriaTraces?: string | undefined
  /** A Python with the package chdb, which is ClickHouse, to compare with. */
  readonly chdb?: string | undefined
}

/** What the benchmarks of one run share: the sizes and a temporary folder. */
export class BenchRun implements AsyncDisposable {
  /** Tiny runs only show that the benchmarks work. */
  readonly isTiny: boolean
  /** Calls in the store that the reading benchmarks use. */
  readonly storedCalls: number
  /** Number of calls given on the command line, if any. */
  readonly largeCalls: number | undefined
  /** How long a benchmark of steady load runs, as given on the command line. */
  readonly minutes: number | undefined
  /** Another checkout of the program, built. */
  readonly checkoutBefore: string | undefined
  /** Program of a VictoriaTraces server. */
  readonly victoriaTraces: string | undefined
  /** A Python with the package chdb. */
  readonly chdb: string | undefined
  private readonly folder: string
  private readonly profileFolder: string | undefined
  private folders = 0

  private constructor(folder: string, options: BenchOptions) {
    this.folder = folder
    this.isTiny = options.isTiny
    this.profileFolder = options.profileFolder
    this.largeCalls = options.storedCalls
    this.minutes = options.minutes
    this.checkoutBefore = options.checkoutBefore
    this.victoriaTraces = options.victoriaTraces
    this.chdb = options.chdb
    this.storedCalls = options.isTiny ? 2_000 : (options.storedCalls ?? 1_000_000)
  }

  static async begin(options: BenchOptions): Promise<BenchRun> {
    await buildProgram()
    if (options.checkoutBefore !== undefined) await buildProgram(options.checkoutBefore)
    return new BenchRun(await mkdtemp(path.join(tmpdir(), 'tracelake-bench-')), options)
  }

  /** Reports progress on standard error. */
  note(text: string): void {
    if (!this.isTiny) console.error(`  ${text}`)
  }

  /** Full size, or that of a tiny run. */
  size(full: number, tiny: number): number {
    return this.isTiny ? tiny : full
  }

  /** A path for a new folder that is removed after the run. */
  newFolder(name: string): string {
    this.folders++
    return path.join(this.folder, `${this.folders}-${name}`)
  }

  startServer(data: string, checkout?: string, env?: Readonly<Record<string, string>>): Promise<BenchServer> {
    return BenchServer.start({ data, profileFolder: this.profileFolder, checkout, env })
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.removeFolder(this.folder)
  }
}
