import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { countOf, firstTrace, seconds, serverVariables } from './first-trace.ts'

/** Administrators' programs are not on the PATH of every shell. */
const chroot = Bun.which('chroot', { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }) ?? 'chroot'
/** The user that the image runs as. */
const user = 65532

/**
 * Unpacks the image of a release, and runs it without a container: as its user, with its files as
 * the root folder and a volume for the data. A stop must flush, and a restart find everything.
 *
 * @throws Error if it does not work; needs to be run by root
 */
export async function tryImage(release: string, folder: string): Promise<string> {
  const [archive] = (await readdir(path.join(release, 'oci'))).filter((name) => name.endsWith('-amd64.tar'))
  const layout = path.join(folder, 'layout')
  const root = path.join(folder, 'root')
  await Promise.all([mkdir(layout, { recursive: true }), mkdir(root, { recursive: true })])
  await run('tar', '-xf', path.join(release, 'oci', archive!), '-C', layout)
  const blob = (digest: string) => path.join(layout, 'blobs', digest.replace(':', '/'))
  const json = (file: string) => Bun.file(file).json()
  const index = (await json(path.join(layout, 'index.json'))) as { manifests: { digest: string }[] }
  const manifest = (await json(blob(index.manifests[0]!.digest))) as {
    config: { digest: string }
    layers: { digest: string }[]
  }
  for (const { digest } of manifest.layers) await run('tar', '-xzf', blob(digest), '-C', root)
  const { config } = (await json(blob(manifest.config.digest))) as {
    config: RunConfig
  }
  if (!config.User.startsWith(String(user))) throw new Error(`Run the image: its user is ${config.User}`)
  // What every container has.
  const [proc, dev] = [path.join(root, 'proc'), path.join(root, 'dev')]
  await Promise.all([mkdir(proc), mkdir(dev)])
  for (const [name, minor] of Object.entries({ null: '3', random: '8', urandom: '9' }))
    await run('mknod', '-m', '666', path.join(dev, name), 'c', '1', minor)
  await run('mount', '-t', 'proc', 'proc', proc)
  try {
    return await tryRoot(root, config)
  } finally {
    await run('umount', proc)
  }
}

interface RunConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd?: readonly string[]
}

async function tryRoot(root: string, config: RunConfig): Promise<string> {
  const start = () =>
    Bun.spawn(
      [chroot, `--userspec=${user}:${user}`, root, ...config.Entrypoint, ...(config.Cmd ?? ['serve']), '--port', '0'],
      {
        env: { ...Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2))), ...serverVariables },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
  const startMs = performance.now()
  const first = start()
  const { listening } = await firstTrace(first, startMs)
  first.kill('SIGTERM')
  if ((await first.exited) !== 0) throw new Error(`Stop the image: ended with ${first.exitCode}`)
  const files = (await readdir(path.join(root, 'data/tracelake/tables/calls'), { recursive: true })).filter((name) =>
    name.endsWith('.parquet'),
  )
  if (files.length === 0) throw new Error('Stop the image: it has not written a Parquet file')
  const second = start()
  try {
    const { address } = await firstTrace(second, performance.now())
    if ((await countOf(address)) !== 1) throw new Error('Restart the image: the trace is not there once')
  } finally {
    second.kill('SIGTERM')
    await second.exited
  }
  return `listening after ${listening.toFixed(1)} s, tried in ${seconds(startMs).toFixed(1)} s`
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`Run ${command.join(' ')}: ended with ${child.exitCode}`)
}
