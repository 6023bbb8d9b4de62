import { digestOfHash } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { findFileBytes, listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { blobsFolder } from '../layout.ts'
import { reason, type Verification } from './verification.ts'

/** Verifies every blob against its digest. Returns how many there are. */
export async function verifyBlobs({ dataFolder, report, onProgress }: Verification): Promise<number> {
  let count = 0
  const folder = blobsFolder(dataFolder)
  for (const shard of await listFolder(folder)) {
    for (const name of await listFolder(joinPath(folder, shard))) {
      const file = joinPath(folder, shard, name)
      const bytes = await findFileBytes(file)
      // It was unreferenced, and the server has removed it.
      if (bytes === undefined) continue
      onProgress('file contents', ++count)
      const fault = name.startsWith(shard) ? await findContentFault(file, name, bytes) : 'is in the wrong folder'
      if (fault !== undefined && (await findFileBytes(file)) !== undefined)
        report(joinPath('blobs', shard, name), fault)
    }
  }
  return count
}

async function findContentFault(file: string, name: string, bytes: number): Promise<string | undefined> {
  const hash = new Sha256()
  try {
    for await (const piece of readChunks(file, 0, bytes)) hash.update(piece)
  } catch (cause) {
    return `cannot be read: ${reason(cause)}`
  }
  const digest = digestOfHash(hash.digest())
  return digest === name ? undefined : `does not match its name: its digest is ${digest}`
}
