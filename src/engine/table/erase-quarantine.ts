import { listFolder, readBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { TableLayout } from '../layout.ts'

/**
 * Removes the quarantined files of a table that may contain rows of a project: copies of damaged
 * segments of the WAL that name it, and all data files, whose rows are compressed.
 */
export async function eraseQuarantine({ quarantine }: TableLayout, projectId: string): Promise<void> {
  for (const name of await listFolder(quarantine)) {
    const file = joinPath(quarantine, name)
    if (name.endsWith('.parquet') || (name.endsWith('.arrows') && (await contains(file, projectId))))
      await removeFile(file)
  }
}

async function contains(file: string, text: string): Promise<boolean> {
  const bytes = await readBytes(file)
  const wanted = new TextEncoder().encode(text)
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true
  return false
}
