/**
 * `scripts/release [--targets NAME,…] [--level N] [--address URL] --out FOLDER`: every file of a
 * release. The same sources give the same bytes; the image also depends on the current packages of
 * Debian.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from '../executable/build-executable.ts'
import { type Target, targetsNamed } from '../executable/targets.ts'
import { textEntry } from './archive-entry.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { debianLibraries } from './debian-libraries.ts'
import { type Archive, homebrewFormula } from './homebrew-formula.ts'
import { imageLayers } from './image-root.ts'
import { launcherPackage, platformPackage, type ReleaseFile } from './npm-packages.ts'
import { ociImage } from './oci-image.ts'
import { type BuiltTarget, readProduct } from './product.ts'
import { releaseNotes } from './release-notes.ts'
import { tar } from './tar.ts'
import { wheel } from './wheels.ts'
import { xz } from './xz.ts'
import { zip } from './zip.ts'

const repository = path.join(import.meta.dir, '../..')
const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: 'all' },
    out: { type: 'string' },
    level: { type: 'string', default: '19' },
    address: { type: 'string' },
  },
})
const product = await readProduct(repository)
const checksums: string[] = []
const archives: Archive[] = []

/** @returns the checksum of the file */
async function write(out: string, folder: string, { name, bytes }: ReleaseFile): Promise<string> {
  await mkdir(path.join(out, folder), { recursive: true })
  await Bun.write(path.join(out, folder, name), bytes)
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  checksums.push(`${sha256}  ${path.posix.join(folder, name)}`)
  console.log(`${path.posix.join(folder, name)}: ${(bytes.length / 1e6).toFixed(1)} MB`)
  return sha256
}

/** The executable in the archive that people of the system unpack. */
async function download({ target, executable }: BuiltTarget): Promise<ReleaseFile> {
  const name = `tracelake-${product.version}-${target.name}`
  const files = [
    { path: target.executable, mode: 0o755, content: executable },
    textEntry('LICENSE', product.licenseText),
  ]
  if (target.os === 'win32') return { name: `${name}.zip`, bytes: zip(files) }
  return { name: `${name}.tar.xz`, bytes: await xz(tar(files), target.cpu) }
}

async function releaseTarget(target: Target, out: string, temporary: string): Promise<void> {
  const outfile = path.join(temporary, target.executable)
  const level = Number(values.level)
  await buildExecutable({ repository, target, outfile, level })
  const built = { target, executable: await Bun.file(outfile).bytes() }
  const archive = await download(built)
  archives.push({ target, name: archive.name, sha256: await write(out, 'bin', archive) })
  await write(out, 'npm', platformPackage(built, product))
  await write(out, 'pypi', wheel(built, product))
  if (target.libc !== 'glibc') return
  const libraries = await debianLibraries(target, temporary)
  console.log(`libraries of the image: ${libraries.packages.join(', ')}`)
  await write(out, 'oci', ociImage(built, await imageLayers(built, { libraries, repository, level }), product))
}

if (values.out === undefined) {
  console.error('usage: scripts/release [--targets NAME,...] [--level N] [--address URL] --out FOLDER')
  process.exit(2)
}
const out = path.resolve(values.out)
const temporary = await mkdtemp(path.join(tmpdir(), 'tracelake-release-'))
try {
  for (const target of targetsNamed(values.targets)) await releaseTarget(target, out, temporary)
  await write(out, 'npm', await launcherPackage(targetsNamed(values.targets), product))
  if (values.address === undefined) console.log('no Homebrew formula: give the address of the archives with --address')
  else {
    const formula = homebrewFormula(archives, values.address.replace(/\/$/, ''), product)
    await write(out, 'homebrew', { name: 'tracelake.rb', bytes: new TextEncoder().encode(formula) })
  }
  const bill = await billOfMaterials(repository, temporary)
  await write(out, '', { name: 'sbom.cdx.json', bytes: bill })
  const notes = releaseNotes(await Bun.file(path.join(repository, 'CHANGELOG.md')).text(), product.version)
  await write(out, '', { name: 'NOTES.md', bytes: new TextEncoder().encode(notes) })
  await Bun.write(path.join(out, 'SHA256SUMS'), `${checksums.sort().join('\n')}\n`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
} finally {
  await rm(temporary, { recursive: true, force: true })
}
