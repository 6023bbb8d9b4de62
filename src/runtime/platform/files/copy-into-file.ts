import { type FileHandle, open } from 'node:fs/promises'

const pieceBytes = 1024 * 1024

/** Copies bytes [from, to) of a file to a place in another one. Not durable. */
export async function copyIntoFile(
  source: string,
  { from, to }: { readonly from: number; readonly to: number },
  target: string,
  at: number,
): Promise<void> {
  const reader = await open(source, 'r')
  try {
    const writer = await open(target, 'r+')
    try {
      const piece = new Uint8Array(Math.min(pieceBytes, to - from))
      for (let position = from; position < to; ) {
        const { bytesRead } = await reader.read(piece, 0, Math.min(piece.byteLength, to - position), position)
        if (bytesRead === 0) throw new Error(`Copy from ${source}: it ends at byte ${position}`)
        await writeAll(writer, piece.subarray(0, bytesRead), at + position - from)
        position += bytesRead
      }
    } finally {
      await writer.close()
    }
  } finally {
    await reader.close()
  }
}

/** Replaces the bytes of a file from a position on; the file ends after them. Not durable. */
export async function writeAtEnd(file: string, at: number, pieces: readonly Uint8Array[]): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    let end = at
    for (const piece of pieces) {
      await writeAll(handle, piece, end)
      end += piece.byteLength
    }
    await handle.truncate(end)
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, at + done)
    done += bytesWritten
  }
}
