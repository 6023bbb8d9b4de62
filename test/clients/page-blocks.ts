import path from 'node:path'

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  readonly code: string
  /** File that the text before the block says to save it as, or to add it to. */
  readonly file?: string
  /** Whether it belongs to the second of two ways, "by hand". */
  readonly isByHand: boolean
}

const pages = path.join(import.meta.dir, '../../docs/guide')

/** The blocks of a page, in their order. */
export async function readBlocks(page: string): Promise<Block[]> {
  const text = await Bun.file(path.join(pages, `${page}.md`)).text()
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map((match) => {
    const before = text.slice(0, match.index)
    const file = /`([^`\s]+\.\w+)`:?\s*$/.exec(before)?.[1]
    const section = before.slice(before.lastIndexOf('\n## '))
    return {
      language: match[1]!,
      code: match[2]!,
      ...(file !== undefined && { file }),
      isByHand: section.includes('by hand'),
    }
  })
}
