import path from 'node:path'

interface Report {
  readonly issues: readonly {
    readonly file: string
    readonly exports?: readonly { readonly name: string }[]
    readonly types?: readonly { readonly name: string }[]
  }[]
}

/**
 * Exports of the sources in `folder` that are imported nowhere, as `file: name`. The settings are
 * those of the repository in `root`, so that an older state is measured alike.
 *
 * @throws Error where knip does not run to its end
 */
export async function findUnusedExports(root: string, folder: string): Promise<string[]> {
  const knip = path.join(root, 'node_modules/knip/bin/knip.js')
  const settings = path.join(root, 'knip.jsonc')
  const options = ['--directory', folder, '--config', settings, '--include', 'exports,types', '--reporter', 'json']
  const child = Bun.spawn([process.execPath, '--bun', knip, ...options, '--no-progress', '--no-exit-code'], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, problems] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`Find unused exports in "${folder}": knip failed: ${problems}`)
  const { issues } = JSON.parse(output) as Report
  return issues.flatMap(({ file, exports = [], types = [] }) =>
    [...exports, ...types].map(({ name }) => `${file}: ${name}`),
  )
}
