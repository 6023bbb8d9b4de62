const programHeaderBytes = 56
const loadSegment = 1

/**
 * The part of a 64-bit little-endian ELF library that the dynamic loader maps. Symbols for
 * debuggers and the section headers lie behind it: the loader reads program headers only
 * (System V ABI, "Program Loading and Dynamic Linking").
 *
 * @throws Error if the file is something else
 */
export function trimElf(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const isElf = file.length > 64 && view.getUint32(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1
  if (!isElf) throw new Error('Trim a library: it is no 64-bit little-endian ELF file')
  const headers = Number(view.getBigUint64(0x20, true))
  const count = view.getUint16(0x38, true)
  let end = headers + count * programHeaderBytes
  for (let at = headers; at < headers + count * programHeaderBytes; at += programHeaderBytes) {
    if (view.getUint32(at, true) !== loadSegment) continue
    end = Math.max(end, Number(view.getBigUint64(at + 0x08, true) + view.getBigUint64(at + 0x20, true)))
  }
  const trimmed = file.slice(0, end)
  const trimmedView = new DataView(trimmed.buffer)
  // No section headers: their offset, count and the index of their names.
  trimmedView.setBigUint64(0x28, 0n, true)
  trimmedView.setUint16(0x3c, 0, true)
  trimmedView.setUint16(0x3e, 0, true)
  return trimmed
}
