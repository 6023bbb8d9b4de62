import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { queryDuckDb } from '../store/folder-state.ts'

/** Files below a folder that contain the marker, in any encoding and inside Parquet. */
export async function filesWithMarker(folder: string, marker: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // Files come and go while a server runs.
    const bytes = readOrNothing(path)
    if (bytes === undefined) continue
    const isFound = spellings(marker).some((spelling) => bytes.includes(spelling)) || (await isInParquet(path, marker))
    if (isFound) found.push(relative(folder, path))
  }
  return found.sort()
}

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** UTF-8, UTF-16 of either byte order, JSON escapes, hexadecimal, and base64 at any offset. */
function spellings(marker: string): Buffer[] {
  const bytes = Buffer.from(marker)
  const escaped = [...marker].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const wide = Buffer.from(marker, 'utf16le')
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // Characters that depend on what precedes or follows the marker.
    return text.slice(offset === 0 ? 0 : offset + 1, -4)
  })
  const texts = [escaped, bytes.toString('hex'), ...inBase64]
  return [bytes, wide, Buffer.from(wide).swap16(), ...texts.map((text) => Buffer.from(text))]
}

/** Rows are compressed in Parquet, and so may be the bounds in its metadata. */
async function isInParquet(path: string, marker: string): Promise<boolean> {
  if (!path.endsWith('.parquet')) return false
  try {
    const [row] = await queryDuckDb(
      `SELECT (SELECT count(*) FROM read_parquet('${path}') t WHERE contains(t::VARCHAR, '${marker}'))
         + (SELECT count(*) FROM parquet_metadata('${path}') m WHERE contains(m::VARCHAR, '${marker}')) AS found`,
    )
    return Number(row!['found']) > 0
  } catch (cause) {
    if (readOrNothing(path) === undefined) return false
    throw cause
  }
}
