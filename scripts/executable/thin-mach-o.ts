const universalMagic = 0xcafebabe
const entryBytes = 20
/** `cputype` of Mach-O headers. */
const cpuTypes = { x64: 0x01000007, arm64: 0x0100000c } as const

/**
 * The part of a universal Mach-O file for one processor, which has a signature of its own; the
 * file itself if it is for one processor already.
 *
 * @throws Error if the file has no part for the processor
 */
export function thinMachO(file: Uint8Array, cpu: keyof typeof cpuTypes): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (view.getUint32(0) !== universalMagic) return file
  const count = view.getUint32(4)
  for (let at = 8; at < 8 + count * entryBytes; at += entryBytes) {
    if (view.getUint32(at) !== cpuTypes[cpu]) continue
    const offset = view.getUint32(at + 8)
    return file.subarray(offset, offset + view.getUint32(at + 12))
  }
  throw new Error(`Thin a library: it has no part for ${cpu}`)
}
