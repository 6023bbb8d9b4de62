/**
 * Builds executables: for this machine into `dist/tracelake`; with `--target`, for each of the
 * named targets into `dist/bin/TARGET/`.
 */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './build-executable.ts'
import { isThisMachine, type Target, targets, targetsNamed } from './targets.ts'

const repository = path.join(import.meta.dir, '../..')
const { values } = parseArgs({
  options: { target: { type: 'string' }, level: { type: 'string', default: '3' } },
})

function ownTarget(): Target {
  const found = targets.find(isThisMachine)
  if (found === undefined) throw new Error(`There is no target for ${process.platform}-${process.arch}`)
  return found
}

async function build(target: Target, outfile: string): Promise<void> {
  const startedMs = performance.now()
  await buildExecutable({ repository, target, outfile, level: Number(values.level) })
  const { size } = await stat(outfile)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${path.relative(repository, outfile)}: ${(size / 1024 / 1024).toFixed(0)} MiB, ${seconds} s`)
}

try {
  if (values.target === undefined) {
    const target = ownTarget()
    await build(target, path.join(repository, 'dist', target.executable))
  } else {
    for (const target of targetsNamed(values.target))
      await build(target, path.join(repository, 'dist/bin', target.name, target.executable))
  }
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exit(1)
}
