import path from 'node:path'

/** Builds the guide if a source is newer. The first time this fetches the generator's packages. */
export async function buildGuideOnce(): Promise<void> {
  const root = path.join(import.meta.dir, '../../..')
  const build = Bun.spawn(['scripts/build', '--guide'], { cwd: root, stdout: 'ignore', stderr: 'pipe' })
  const messages = await new Response(build.stderr).text()
  if ((await build.exited) !== 0) throw new Error(`Build the guide: ${messages}`)
}
