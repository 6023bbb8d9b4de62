import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Target } from '../executable/targets.ts'
import { type ArchiveEntry, byPath, textEntry } from './archive-entry.ts'
import type { BuiltTarget, Product } from './product.ts'
import { tar } from './tar.ts'

/** A file of the release. */
export interface ReleaseFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const launcher = path.join(import.meta.dir, 'launcher/tracelake.js')
const packageOf = (target: Target): string => `@tracelake/cli-${target.name}`

/** The package with the executable of one platform. */
export function platformPackage({ target, executable }: BuiltTarget, product: Product): ReleaseFile {
  const { version, license } = product
  const manifest = {
    name: packageOf(target),
    version,
    description: `tracelake for ${target.name}; install the package "tracelake"`,
    license,
    os: [target.os],
    cpu: [target.cpu],
    ...(target.libc && { libc: [target.libc] }),
    files: ['bin'],
    preferUnplugged: true,
  }
  return packed(`tracelake-cli-${target.name}-${version}.tgz`, manifest, product, [
    { path: `bin/${target.executable}`, mode: 0o755, content: executable },
  ])
}

/**
 * The package that users install: a launcher, and one optional dependency for each platform. See
 * docs/decisions/140-packages-around-one-executable.md.
 */
export async function launcherPackage(targets: readonly Target[], product: Product): Promise<ReleaseFile> {
  const { version, description, license } = product
  const manifest = {
    name: 'tracelake',
    version,
    description,
    license,
    keywords: ['llm', 'tracing', 'evaluation', 'observability', 'opentelemetry', 'weave', 'duckdb'],
    bin: { tracelake: 'bin/tracelake.js' },
    files: ['bin'],
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageOf(target), version])),
  }
  return packed(`tracelake-${version}.tgz`, manifest, product, [
    textEntry('bin/tracelake.js', await Bun.file(launcher).text(), 0o755),
    textEntry('README.md', product.readme),
  ])
}

function packed(name: string, manifest: object, product: Product, files: readonly ArchiveEntry[]): ReleaseFile {
  const entries = [
    textEntry('package.json', `${JSON.stringify(manifest, null, 2)}\n`),
    textEntry('LICENSE', product.licenseText),
    ...files,
  ].map((entry) => ({ ...entry, path: `package/${entry.path}` }))
  return { name, bytes: gzipSync(tar(byPath(entries)), { level: 9 }) }
}
