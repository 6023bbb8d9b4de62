import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Registries } from './registries.ts'

/** Programs that install packages, at pinned versions. */
const tools = { pnpm: '10.20.0', uv: '0.9.8' } as const

/** A way to start the server from a package. */
export interface Form {
  readonly name: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Folders before those of the system on the PATH. */
  readonly path?: readonly string[]
  /** What is done before the clock starts. */
  readonly prepare?: () => Promise<void>
}

export interface FormsOptions {
  readonly registries: Registries
  /** Installed programs of this suite. */
  readonly toolsFolder: string
  /** Empty, for caches and homes. */
  readonly folder: string
  /** Folders with the programs `bun` and `deno`. */
  readonly bun: string
  readonly deno: string
}

const serve = ['serve', '--port', '0'] as const

export function forms({ registries, toolsFolder, folder, bun, deno }: FormsOptions): Form[] {
  const npm = { npm_config_registry: registries.npm, NPM_CONFIG_REGISTRY: registries.npm }
  const pypi = { PIP_INDEX_URL: registries.pypi, UV_DEFAULT_INDEX: registries.pypi }
  const venv = path.join(folder, 'venv')
  return [
    { name: 'npx tracelake', command: ['npx', '--yes', 'tracelake', ...serve], env: npm },
    {
      name: 'npm install -g tracelake',
      command: ['sh', '-c', `npm install --silent -g tracelake && exec tracelake ${serve.join(' ')}`],
      env: { ...npm, npm_config_prefix: path.join(folder, 'prefix') },
      path: [path.join(folder, 'prefix/bin')],
    },
    {
      name: 'pnpm dlx tracelake',
      command: ['pnpm', 'dlx', 'tracelake', ...serve],
      env: npm,
      path: [path.join(toolsFolder, 'node_modules/.bin')],
    },
    { name: 'bunx tracelake', command: [path.join(bun, 'bun'), 'x', 'tracelake', ...serve], env: npm },
    {
      name: 'deno run -A npm:tracelake',
      command: [path.join(deno, 'deno'), 'run', '-A', 'npm:tracelake', ...serve],
      env: npm,
    },
    {
      name: 'uvx tracelake',
      command: ['uvx', 'tracelake', ...serve],
      env: pypi,
      path: [path.join(toolsFolder, 'venv/bin')],
    },
    {
      name: 'pip install tracelake',
      prepare: async () => {
        await mkdir(folder, { recursive: true })
        await Bun.spawn(['python3', '-m', 'venv', venv]).exited
      },
      command: [
        'sh',
        '-c',
        `${venv}/bin/pip install --quiet tracelake && exec ${venv}/bin/tracelake ${serve.join(' ')}`,
      ],
      env: pypi,
    },
  ]
}

/** Installs pnpm and uv, once. */
export async function installTools(toolsFolder: string): Promise<void> {
  const mark = path.join(toolsFolder, `installed-${tools.pnpm}-${tools.uv}`)
  if (await Bun.file(mark).exists()) return
  await mkdir(toolsFolder, { recursive: true })
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, { cwd: toolsFolder, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
    if ((await child.exited) !== 0)
      throw new Error(`Run ${command.slice(0, 3).join(' ')}: ended with ${child.exitCode}`)
  }
  await Bun.write(path.join(toolsFolder, 'package.json'), '{"private":true}')
  await run('npm', 'install', '--silent', '--no-audit', '--no-fund', `pnpm@${tools.pnpm}`)
  await run('python3', '-m', 'venv', 'venv')
  await run('venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', `uv==${tools.uv}`)
  await Bun.write(mark, '')
}
