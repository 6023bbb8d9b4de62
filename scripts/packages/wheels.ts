import type { Target } from '../executable/targets.ts'
import { byPath, type FileEntry, textEntry } from './archive-entry.ts'
import type { ReleaseFile } from './npm-packages.ts'
import type { BuiltTarget, Product } from './product.ts'
import { zip } from './zip.ts'

/**
 * Platform tags of wheels: the oldest systems that Bun and DuckDB's library run on (glibc 2.28,
 * musl 1.2, macOS 13).
 */
const platformTags: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'linux-x64-musl': 'musllinux_1_2_x86_64',
  'linux-arm64-musl': 'musllinux_1_2_aarch64',
  'darwin-arm64': 'macosx_13_0_arm64',
  'darwin-x64': 'macosx_13_0_x86_64',
  'windows-x64': 'win_amd64',
}

/** A wheel that installs the executable as a script: no Python code. */
export function wheel({ target, executable }: BuiltTarget, product: Product): ReleaseFile {
  const tag = `py3-none-${tagOf(target)}`
  const name = `tracelake-${product.version}`
  const info = `${name}.dist-info`
  const files: FileEntry[] = [
    { path: `${name}.data/scripts/${target.executable}`, mode: 0o755, content: executable },
    textEntry(`${info}/METADATA`, metadata(product)),
    textEntry(`${info}/WHEEL`, `Wheel-Version: 1.0\nGenerator: tracelake\nRoot-Is-Purelib: false\nTag: ${tag}\n`),
    textEntry(`${info}/licenses/LICENSE`, product.licenseText),
  ]
  const record = files.map(({ path, content }) => `${path},sha256=${digest(content)},${content.length}`)
  const recordPath = `${info}/RECORD`
  const recordText = [...record, `${recordPath},,`, ''].join('\n')
  return { name: `${name}-${tag}.whl`, bytes: zip([...byPath(files), textEntry(recordPath, recordText)]) }
}

function tagOf({ name }: Target): string {
  const tag = platformTags[name]
  if (tag === undefined) throw new Error(`Make a wheel: ${name} has no platform tag`)
  return tag
}

const digest = (content: Uint8Array): string => new Bun.CryptoHasher('sha256').update(content).digest('base64url')

const metadata = ({ version, description, license, readme }: Product): string =>
  [
    'Metadata-Version: 2.4',
    'Name: tracelake',
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'Requires-Python: >=3.8',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')
