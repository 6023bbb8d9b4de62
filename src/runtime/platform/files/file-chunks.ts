import { openAsBlob } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { removeFile } from './files.ts'

const pieceBytes = 512 * 1024

/**
 * Yields the bytes of `file` from `from` up to, but excluding, `to`, in buffers of their own.
 * @throws Error if the file is shorter
 */
export async function* readChunks(file: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    for (let position = from; position < to; ) {
      const length = Math.min(pieceBytes, to - position)
      const { bytesRead, buffer } = await handle.read({ buffer: new Uint8Array(length), position, length })
      if (bytesRead === 0) throw new Error(`Cannot read ${file}: it ends at byte ${position}, expected ${to}`)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/**
 * The same bytes as a response body that the runtime sends itself, with a Content-Length, if it
 * can; otherwise undefined. Bun sends streams without a length, whatever their headers say.
 */
export const sendableFile = (file: string, from: number, to: number): Blob | undefined =>
  typeof Bun === 'undefined' ? undefined : Bun.file(file).slice(from, to)

/** A file to send, which is read while it is sent. */
export const fileAsBlob = (file: string): Promise<Blob> => openAsBlob(file)

/**
 * Writes a new file chunk by chunk and removes it if `pieces` fails. Not durable: for the temporary
 * folder.
 */
export async function writeChunks(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
  } catch (cause) {
    await removeFile(file)
    throw cause
  } finally {
    await handle.close()
  }
}

/**
 * Yields the bytes of a file and then removes it. It is also removed when the reader stops early
 * and when `signal` is aborted: a body that was never read is not always cancelled.
 *
 * @param onRemoved called once, when the file is gone
 */
export async function streamThenRemove(
  file: string,
  { signal, onRemoved }: { signal: AbortSignal; onRemoved: () => void },
): Promise<AsyncGenerator<Uint8Array>> {
  const handle = await open(file, 'r')
  let removing: Promise<void> | undefined
  const remove = async () => {
    signal.removeEventListener('abort', leave)
    await handle.close()
    await removeFile(file)
    onRemoved()
  }
  const end = () => {
    removing ??= remove()
    return removing
  }
  function leave() {
    // No caller is left to report to; leftovers are removed at the next start.
    end().catch(() => {})
  }
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  return piecesOf(handle, end)
}

async function* piecesOf(handle: FileHandle, end: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read({ buffer: new Uint8Array(pieceBytes) })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await end()
  }
}
