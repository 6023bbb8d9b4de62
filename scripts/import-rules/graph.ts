import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import { isTest, partOf, treeOf } from './trees.ts'

/** Sources by their path from the root of the repository, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>

/** Edges of a graph of files or of folders. */
export type Edges = ReadonlyMap<string, readonly string[]>

/** What every file imports, as its source says it: relative paths and names of packages. */
export function importsByFile(sources: Sources): Edges {
  return new Map([...sources].map(([file, source]) => [file, importsOf(source, file)] as const))
}

/** The path from the root that a relative import in `file` leads to; undefined for packages. */
export function resolveImport(file: string, imported: string): string | undefined {
  return imported.startsWith('.') ? posix.join(posix.dirname(file), imported) : undefined
}

/** Which files of the repository each file imports. */
export function fileEdges(imports: Edges): Edges {
  const targets = (file: string, imported: readonly string[]) =>
    imported.flatMap((each) => {
      const target = resolveImport(file, each)
      return target === undefined || treeOf(target) === undefined ? [] : [target]
    })
  return new Map([...imports].map(([file, imported]) => [file, targets(file, imported)] as const))
}

/**
 * Which folders, two levels deep, each folder imports. Unit tests beside sources import what they
 * like.
 */
export function folderEdges(files: Edges): Edges {
  const edges = new Map<string, Set<string>>()
  for (const [file, targets] of files) {
    if (isTest(file) && !file.startsWith('test/')) continue
    const part = partOf(file)
    const others = edges.get(part) ?? new Set()
    edges.set(part, others)
    for (const target of targets) if (partOf(target) !== part) others.add(partOf(target))
  }
  return new Map([...edges].map(([part, others]) => [part, [...others]] as const))
}
