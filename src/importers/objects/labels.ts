import { operationLimits } from '../../lib/limits/operations.ts'
import type { Target } from '../record.ts'

/** Names of versions: tags, which may be on many, and aliases, which point to one. */
export interface Labels {
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
}

/** Labels a stored version. Names that the server maintains itself are left out. */
export async function setLabels(target: Target, objectId: string, digest: string, labels: Labels): Promise<void> {
  const { project } = target
  const path = `/objs/${encodeURIComponent(objectId)}`
  const tags = [...new Set(labels.tags.map(tagName).filter((tag) => tag !== ''))]
  const aliases = labels.aliases.map(aliasName).filter((alias) => alias !== 'latest' && !/^v\d+$/.test(alias))
  for (const some of inPieces(tags)) {
    await target.put(`${path}/versions/${encodeURIComponent(digest)}/tags`, { project_id: project, tags: some })
  }
  for (const some of inPieces(aliases)) {
    await target.put(`${path}/aliases`, { project_id: project, digest, aliases: some })
  }
}

/** With the characters that tags may have. */
const tagName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')
    .trim()
    .slice(0, operationLimits.tagCharsMax)
    .trim()

const aliasName = (name: string): string => name.replaceAll(/[/:]/g, '-').slice(0, operationLimits.idCharsMax)

function inPieces(names: readonly string[]): string[][] {
  const size = operationLimits.labelsPerRequestMax
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  )
}
