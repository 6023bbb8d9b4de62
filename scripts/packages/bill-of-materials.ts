import { copyFile, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

const generator = '@cyclonedx/cyclonedx-npm@6.0.1'

/**
 * The packages inside the executables as a CycloneDX document. The generator reads a production
 * install, which is made in `folder`.
 */
export async function billOfMaterials(repository: string, folder: string): Promise<Uint8Array> {
  const work = path.join(folder, 'bill-of-materials')
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  for (const name of ['package.json', 'bun.lock']) await copyFile(path.join(repository, name), path.join(work, name))
  await run(work, [process.execPath, 'install', '--frozen-lockfile', '--production', '--ignore-scripts'])
  const words = ['--omit', 'dev', '--ignore-npm-errors', '--output-reproducible', '--output-file', 'sbom.cdx.json']
  await run(work, ['npx', '--yes', generator, ...words])
  return await Bun.file(path.join(work, 'sbom.cdx.json')).bytes()
}

async function run(folder: string, words: string[]): Promise<void> {
  const child = Bun.spawn(words, {
    cwd: folder,
    // A validator that the generator can do without would be compiled for minutes.
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [exitCode, output] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (exitCode !== 0) throw new Error(`List the packages: ${words[0]} ended with exit code ${exitCode}: ${output}`)
}
