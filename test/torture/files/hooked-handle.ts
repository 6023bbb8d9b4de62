import { readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { installed, type Verdict } from './hooks.ts'

/** Puts the hooks between a program and an open file or folder. */
export function hookHandle(handle: FileHandle, path: string): FileHandle {
  // Taken before they are replaced.
  const real = {
    write: handle.write.bind(handle) as (...words: unknown[]) => Promise<{ bytesWritten: number; buffer: Uint8Array }>,
    writeFile: handle.writeFile.bind(handle),
    truncate: handle.truncate.bind(handle),
    sync: handle.sync.bind(handle),
    datasync: handle.datasync.bind(handle),
  }
  // Where a write without a position goes.
  let position = 0
  const written = (at: number, bytes: Uint8Array) => installed.hooks?.done({ kind: 'written', path, at, bytes })

  const hooked = {
    write: async (buffer: Uint8Array, offset = 0, length = buffer.byteLength - offset, at?: number | null) => {
      const verdict = await before('write', path)
      const asked = verdict.does === 'write less' ? Math.max(1, Math.min(length, verdict.bytes)) : length
      const from = at ?? position
      if (verdict.does === 'pretend') return { bytesWritten: asked, buffer }
      const result = await real.write(buffer, offset, asked, at)
      written(from, Uint8Array.from(buffer.subarray(offset, offset + result.bytesWritten)))
      position = from + result.bytesWritten
      return result
    },
    writeFile: async (content: string | Uint8Array) => {
      const bytes = Buffer.from(content)
      const verdict = await before('write', path)
      if (verdict.does === 'pretend') return
      await real.writeFile(content)
      written(position, Uint8Array.from(bytes))
      position += bytes.byteLength
    },
    truncate: async (size = 0) => {
      const verdict = await before('cut', path)
      if (verdict.does === 'pretend') return
      await real.truncate(size)
      installed.hooks?.done({ kind: 'cut', path, size })
    },
    sync: () => sync(real.sync),
    datasync: () => sync(real.datasync),
  }

  async function sync(perform: () => Promise<void>): Promise<void> {
    const verdict = await before('sync', path)
    if (verdict.does === 'pretend') return
    // The harness decides what survives; a real sync would only take time.
    if (installed.hooks === undefined) await perform()
    installed.hooks?.done({ kind: 'synced', path })
  }

  return Object.assign(handle, hooked)
}

async function before(kind: 'write' | 'cut' | 'sync', path: string): Promise<Verdict> {
  const { hooks } = installed
  if (hooks === undefined) return { does: 'pass' }
  const verdict = await hooks.before({ kind, path })
  if (verdict.does === 'fail') throw verdict.error
  return verdict
}

/** The whole contents of a file that another library wrote. */
export const contentsOf = (path: string): Uint8Array => Uint8Array.from(readFileSync(path))
