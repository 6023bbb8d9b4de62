import { cpus, loadavg, totalmem } from 'node:os'
import packages from '../../package.json' with { type: 'json' }

/** Where and when results were measured; nothing that identifies the machine. */
export interface Machine {
  readonly date: string
  readonly cores: number
  readonly memoryGiB: number
  readonly bun: string
  readonly duckdb: string
  /** Commit of the product, followed by `+` if files differ from it. */
  readonly commit: string
}

export const describeMachine = (): Machine => ({
  date: new Date().toISOString().slice(0, 16).replace('T', ' '),
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  bun: Bun.version,
  duckdb: packages.dependencies['@duckdb/node-api'],
  commit: commit(),
})

/** Load averages over 1 and 5 minutes, rounded. */
export const loadAverages = (): string =>
  loadavg()
    .slice(0, 2)
    .map((load) => load.toFixed(1))
    .join(' / ')

function commit(): string {
  const git = (...words: string[]) =>
    Bun.spawnSync(['git', ...words], { cwd: import.meta.dir })
      .stdout.toString()
      .trim()
  const hash = git('rev-parse', '--short', 'HEAD')
  if (hash === '') return 'unknown'
  return git('status', '--porcelain', '--', '../../src') === '' ? hash : `${hash}+`
}
