import { findCycles } from './cycles.ts'
import { type Edges, fileEdges, folderEdges, importsByFile, resolveImport, type Sources } from './graph.ts'
import { runtimeGlobalsOf, valueImportsOf } from './imports.ts'

import {
  layerOf,
  loadsLittle,
  owned,
  pureModules,
  reserved,
  strangers,
  subjectOf,
  subjects,
  typesOnly,
  unitOf,
} from './layers.ts'

import { treeOf, trees } from './trees.ts'

/** Every breach of the import rules in `sources`, one sentence each; none when all is well. */
export function findBreaches(sources: Sources): string[] {
  const imports = importsByFile(sources)
  const files = fileEdges(imports)
  return [
    ...[...imports].flatMap(([file, imported]) => treeBreaches(file, imported)),
    ...[...imports].flatMap(([file, imported]) => (treeOf(file) === 'src' ? layerBreaches(file, imported) : [])),
    ...[...sources].flatMap(([file, source]) => (treeOf(file) === 'src' ? globalBreaches(file, source) : [])),
    ...[...sources].flatMap(([file, source]) => (treeOf(file) === 'src' ? valueBreaches(file, source) : [])),
    ...cycleBreaches('files', files),
    ...cycleBreaches('folders', folderEdges(files)),
  ]
}

function treeBreaches(file: string, imports: readonly string[]): string[] {
  const tree = treeOf(file)
  if (tree === undefined) return []
  const allowed: readonly string[] = trees[tree].imports
  return imports.flatMap((imported) => {
    const target = resolveImport(file, imported)
    const other = target === undefined ? undefined : treeOf(target)
    return other === undefined || allowed.includes(other)
      ? []
      : [`${file} imports ${target}; ${tree}/ may import from ${allowed.map((each) => `${each}/`).join(' and ')} only`]
  })
}

function layerBreaches(file: string, imports: readonly string[]): string[] {
  const unit = unitOf(belowSource(file))
  const layer = layerOf(unit)
  if (layer === undefined) return [`${file} is in no layer; give "${unit}" one in scripts/import-rules/layers.ts`]
  return imports.flatMap((imported) => {
    const foreign = reserved.find(({ module }) => module.test(imported))
    if (foreign && !isIn(foreign.owners, file))
      return [`${file} imports ${imported}; only ${foreign.owners.join(' and ')} may use ${foreign.what}`]
    const target = resolveImport(file, imported)
    if (target === undefined || treeOf(target) !== 'src') return []
    const own = owned.find((each) => `src/${each.file}` === target)
    if (own && !own.owners.test(belowSource(file)))
      return [`${file} imports ${target}; only ${own.shown.join(' and ')} write ${own.what}`]
    const targetUnit = unitOf(belowSource(target))
    const targetLayer = layerOf(targetUnit)
    if (targetLayer === undefined) return [`${file} imports ${target}, which is in no layer`]
    if (targetLayer < layer) return [`${file} imports ${target}; ${unit} is below ${targetUnit}`]
    const subject = subjectOf(belowSource(target))
    if (subject !== undefined && subject !== subjectOf(belowSource(file)) && !mayEnter(file, target, subject))
      return [`${file} imports ${target}; import it from src/${subjects}${subject}/index.ts`]
    return areApart(belowSource(file), belowSource(target))
      ? [`${file} imports ${target}; ${unit} and ${targetUnit} do not import each other`]
      : []
  })
}

/** Whether a file outside a subject may import `target`, a file of the subject. */
const mayEnter = (file: string, target: string, subject: string): boolean =>
  target === `src/${subjects}${subject}/index.ts` || loadsLittle.test(file)

const areApart = (one: string, other: string): boolean =>
  strangers.some(({ folders: [first, second], except }) => {
    if (one.startsWith(except) || other.startsWith(except)) return false
    return (one.startsWith(first) && other.startsWith(second)) || (one.startsWith(second) && other.startsWith(first))
  })

const isIn = (folders: readonly string[], file: string): boolean =>
  folders.some((folder) => belowSource(file).startsWith(folder))

function globalBreaches(file: string, source: string): string[] {
  return runtimeGlobalsOf(source, file).flatMap((name) => {
    const owners = reserved.find(({ globals }) => globals?.includes(name))?.owners ?? []
    return isIn(owners, file) ? [] : [`${file} names ${name}; only ${owners.join(' and ')} may`]
  })
}

/** What a unit that runs elsewhere imports from other units at run time. */
function valueBreaches(file: string, source: string): string[] {
  const unit = unitOf(belowSource(file))
  if (!typesOnly.includes(unit)) return []
  return valueImportsOf(source, file).flatMap((imported) => {
    const target = resolveImport(file, imported)
    if (target === undefined || treeOf(target) === undefined) return []
    const other = unitOf(belowSource(target))
    return other === unit || pureModules.includes(belowSource(target))
      ? []
      : [`${file} imports ${target} at run time; ${unit} may import types only from ${other}`]
  })
}

const belowSource = (file: string): string => file.slice('src/'.length)

const cycleBreaches = (what: string, edges: Edges): string[] =>
  findCycles(edges).map((cycle) => `${what} import each other in a cycle: ${cycle.join(' -> ')}`)
