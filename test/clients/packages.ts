import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClientRun } from './client-runs.ts'

/** Packages of npm for the programs in JavaScript, pinned. */
const nodePackages = [
  'ai@7.0.173',
  '@ai-sdk/otel@1.0.173',
  '@ai-sdk/openai@4.0.118',
  'zod@4.6.7',
  '@opentelemetry/api@1.10.0',
  '@opentelemetry/sdk-trace-node@2.12.0',
  '@opentelemetry/exporter-trace-otlp-proto@0.301.1',
  'weave@0.11.1',
  'openai@7.57.0',
]

/**
 * Folders for PATH that hold what a page installs, and a `pip` or `npm` that accepts a command of
 * the page only if everything it names is there.
 */
export async function preparePackages(run: ClientRun, home: string, agents: string): Promise<string[]> {
  const shims = path.join(home, 'shims', nameOf(run))
  await mkdir(shims, { recursive: true })
  if (run.from === 'agents') return [path.join(agents, 'node_modules/.bin')]
  if (run.from === 'node') {
    const modules = await installNode(path.join(home, 'node'))
    await writeShim(shims, 'npm', `shift; for name; do test -d '${modules}'/"$name" || exit 1; done`)
    // The pages ask for a newer Node.js than a machine may have; Bun runs the same programs.
    await writeShim(shims, 'node', `ln -sfn '${modules}' node_modules; exec '${process.execPath}' "$@"`)
    return [shims]
  }
  const environment = path.join(home, nameOf(run))
  const uv = await installPython(home, environment, run.python ?? [])
  await writeShim(shims, 'pip', `shift; exec '${uv}' pip install --quiet --offline --python '${environment}' "$@"`)
  return [shims, path.join(environment, 'bin')]
}

/** Name of the folder for a page. */
const nameOf = ({ page }: ClientRun): string => page.replaceAll('/', '-')

async function installNode(folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules')
  if (await isInstalled(folder, nodePackages)) return modules
  await mkdir(folder, { recursive: true })
  await Bun.write(path.join(folder, 'package.json'), '{"private": true}')
  await mustRun([process.execPath, 'add', '--ignore-scripts', '--exact', ...nodePackages], folder)
  await markInstalled(folder, nodePackages)
  return modules
}

/** @returns the path of uv, which installs in a tenth of the time of pip */
async function installPython(home: string, environment: string, packages: readonly string[]): Promise<string> {
  const tools = path.join(home, 'uv')
  const uv = path.join(tools, 'bin/uv')
  const python = process.env['PYTHON'] ?? 'python3'
  if (!(await Bun.file(uv).exists())) {
    await mustRun([python, '-m', 'venv', tools])
    await mustRun([path.join(tools, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9'])
  }
  if (await isInstalled(environment, packages)) return uv
  await mustRun([uv, 'venv', '--quiet', '--clear', '--python', python, environment])
  await mustRun([uv, 'pip', 'install', '--quiet', '--python', environment, ...packages])
  await markInstalled(environment, packages)
  return uv
}

const markOf = (folder: string): string => path.join(folder, '.installed')
const isInstalled = async (folder: string, packages: readonly string[]): Promise<boolean> =>
  (await Bun.file(markOf(folder))
    .text()
    .catch(() => '')) === packages.join('\n')
const markInstalled = async (folder: string, packages: readonly string[]): Promise<void> => {
  await Bun.write(markOf(folder), packages.join('\n'))
}

async function writeShim(folder: string, name: string, script: string): Promise<void> {
  const file = path.join(folder, name)
  await Bun.write(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

async function mustRun(words: readonly string[], cwd?: string): Promise<void> {
  const child = Bun.spawn([...words], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    ...(cwd !== undefined && { cwd }),
  })
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${words.slice(0, 4).join(' ')}: ${errors.slice(-800)}`)
}
