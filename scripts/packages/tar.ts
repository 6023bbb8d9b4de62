import type { ArchiveEntry } from './archive-entry.ts'

const blockBytes = 512

/** A tar archive (ustar, POSIX.1-1988). Times are 0, so that builds can be repeated. */
export function tar(entries: readonly ArchiveEntry[]): Uint8Array {
  const pieces: Uint8Array[] = []
  for (const entry of entries) {
    pieces.push(header(entry))
    if (entry.content instanceof Uint8Array) pieces.push(entry.content, padding(entry.content.length))
  }
  pieces.push(new Uint8Array(2 * blockBytes))
  return Buffer.concat(pieces)
}

const padding = (bytes: number): Uint8Array => new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes)

function header({ path, mode, content, owner = 0 }: ArchiveEntry): Uint8Array {
  const block = Buffer.alloc(blockBytes)
  const isFile = content instanceof Uint8Array
  const linkTo = content !== undefined && !isFile ? content.linkTo : ''
  const { prefix, name } = split(content === undefined ? `${path}/` : path)
  if (Buffer.byteLength(linkTo) > 100) throw new Error(`Write a tar archive: the link ${path} is too long`)
  block.write(name, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(owner, 7), 108)
  block.write(octal(owner, 7), 116)
  block.write(octal(isFile ? content.length : 0, 11), 124)
  block.write(octal(0, 11), 136)
  block.write(content === undefined ? '5' : isFile ? '0' : '2', 156)
  block.write(linkTo, 157)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345)
  // The checksum is taken with spaces in its own place.
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** @throws Error if the path does not fit into a header */
function split(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path }
  const slash = path.lastIndexOf('/', 155)
  const parts = { prefix: path.slice(0, slash), name: path.slice(slash + 1) }
  if (slash < 0 || Buffer.byteLength(parts.name) > 100) throw new Error(`Write a tar archive: ${path} is too long`)
  return parts
}
