import { posix } from 'node:path'
import { findCycles } from './cycles.ts'
import { importsOf, runtimeGlobalsOf } from './imports.ts'
import { layerOf, owned, partOf, reserved, strangers, unitOf } from './layers.ts'

/** Sources by their path below `src/`, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>

/** Every breach of the import rules in `sources`, one sentence each; none when all is well. */
export function findBreaches(sources: Sources): string[] {
  const graph = new Map([...sources].map(([file, source]) => [file, importsOf(source)] as const))
  const breaches = [...graph].flatMap(([file, imports]) => (isTest(file) ? [] : breachesOfFile(file, imports)))
  for (const [file, source] of sources) {
    if (isTest(file) || ['platform', 'http'].includes(unitOf(file))) continue
    for (const name of runtimeGlobalsOf(source)) breaches.push(`${file} names ${name}; only platform/ and http/ may`)
  }
  return [...breaches, ...fileCycles(graph), ...folderCycles(graph)]
}

const isTest = (file: string): boolean => file.endsWith('.test.ts')

function breachesOfFile(file: string, imports: readonly string[]): string[] {
  const unit = unitOf(file)
  const layer = layerOf(unit)
  if (layer === undefined) return [`${file} lies in no layer; give "${unit}" one in scripts/import-rules/layers.ts`]
  return imports.flatMap((imported) => {
    const foreign = reserved.find(({ module }) => module.test(imported))
    if (foreign && !foreign.owners.includes(unit))
      return [`${file} imports ${imported}; only ${foreign.owners.join('/ and ')}/ may use ${foreign.what}`]
    const target = resolve(file, imported)
    if (target === undefined) return []
    const own = owned.find((each) => each.file === target)
    if (own && !file.startsWith(own.owner)) return [`${file} imports ${target}; only ${own.owner} writes ${own.what}`]
    const targetUnit = unitOf(target)
    const targetLayer = layerOf(targetUnit)
    if (targetLayer === undefined) return [`${file} imports ${target}, which lies in no layer`]
    if (targetLayer < layer) return [`${file} imports ${target}; ${unit} lies below ${targetUnit}`]
    const apart = strangers.some(([one, other]) => one === unit && other === targetUnit)
    return apart ? [`${file} imports ${target}; ${unit} and ${targetUnit} do not know each other`] : []
  })
}

/** The path below `src/` that a relative import leads to; undefined for packages and for what lies outside `src/`. */
function resolve(file: string, imported: string): string | undefined {
  if (!imported.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(file), imported)
  return target.startsWith('..') ? undefined : target
}

function fileCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const edges = new Map<string, string[]>()
  for (const [file, imports] of graph) {
    const targets = imports.map((imported) => resolve(file, imported)).filter((target) => target !== undefined)
    edges.set(file, targets)
  }
  return findCycles(edges).map((cycle) => `files import each other in a circle: ${cycle.join(' -> ')}`)
}

/** Folders may use each other in one direction only, two levels deep. */
function folderCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const edges = new Map<string, string[]>()
  for (const [file, imports] of graph) {
    if (isTest(file)) continue
    const part = partOf(file)
    const targets = edges.get(part) ?? []
    edges.set(part, targets)
    for (const imported of imports) {
      const target = resolve(file, imported)
      if (target !== undefined && partOf(target) !== part) targets.push(partOf(target))
    }
  }
  return findCycles(edges).map((cycle) => `folders import each other in a circle: ${cycle.join(' -> ')}`)
}
