import { findKnots } from '../import-rules/cycles.ts'
import { fileEdges, folderEdges, importsByFile } from '../import-rules/graph.ts'
import { readSources } from '../import-rules/read-sources.ts'
import { isTest } from '../import-rules/trees.ts'
import { wordsOf } from './code.ts'
import { hasDialectWords } from './dialect-words.ts'
import { findGrammars } from './grammars.ts'
import { findLongLines } from './long-lines.ts'
import { findUnusedExports } from './unused-exports.ts'

/** One figure about the sources. */
export interface Measure {
  readonly name: string
  readonly value: number
  /** Behind the value, for example what it is the value of. */
  readonly remark?: string
  /** What is counted, one by one, where that helps to mend it. */
  readonly found?: readonly string[]
  /** The most that is allowed. */
  readonly max?: number
  readonly unit?: '%'
}

/**
 * Measures the repository in `folder` with the settings of the one in `root`. Sources are the
 * TypeScript files of src/ without tests; generated ones are JavaScript. The web UI is a program of
 * its own: the measures of how the server is divided leave it out.
 *
 * @throws Error where a source is no TypeScript, or knip does not run
 */
export async function measureHouse(root: string, folder: string): Promise<Measure[]> {
  const all = await readSources(folder)
  const edges = fileEdges(importsByFile(all))
  const sources = new Map([...all].filter(([file]) => file.startsWith('src/') && !isTest(file)))
  const read = new Map([...sources].map(([file, source]) => [file, { source, words: wordsOf(file, source) }] as const))

  const lines = new Map([...sources].map(([file, source]) => [file, lineCount(source)] as const))
  const total = sum(lines.values())
  const byLength = [...lines].sort(([, one], [, other]) => other - one)
  const [longest, longestLines] = byLength[0] ?? ['', 0]
  const serverLines = new Map([...lines].filter(([file]) => isServer(file)))
  const [room, roomLines] = largestRoom(serverLines)
  const knots = findKnots(folderEdges(edges)).map((knot) => knot.join(', '))
  const filesWith = (has: (file: string) => boolean): string[] => [...sources.keys()].filter(has).sort()
  const timeout = filesWith(
    (file) => !isSettings(file) && [...read.get(file)!.words.names].some((name) => timeLimitName.test(name)),
  )
  const dialect = filesWith((file) => isServer(file) && !isOfVendor(file) && hasDialectWords(read.get(file)!.words))
  const readServer = new Map([...read].filter(([file]) => isServer(file)))

  return [
    { name: 'source lines', value: total },
    { name: 'source files', value: sources.size },
    { name: 'lines of the median file', value: byLength[Math.floor(byLength.length / 2)]?.[1] ?? 0 },
    { name: 'lines of the longest file', value: longestLines, remark: longest },
    counted('folder cycles, two levels deep', knots, 0),
    {
      name: 'share of the largest folder of src',
      value: Math.round((1000 * roomLines) / Math.max(sum(serverLines.values()), 1)) / 10,
      unit: '%',
      remark: room,
      max: 20,
    },
    counted('files that name the query time limit', timeout, 4),
    counted('files outside dialect/ with dialect words', dialect, 12),
    counted('grammars of the query language', findGrammars(readServer, edges), 1),
    counted('unused exports', await findUnusedExports(root, folder), 0),
    counted('lines over 120 columns in src and docs', await findLongLines(folder), 0),
  ]
}

const isServer = (file: string): boolean => !file.startsWith('src/web/')

/** Every setting is named where settings are read, typed and shown. */
const isSettings = (file: string): boolean => file.startsWith('src/runtime/config')

/**
 * Where the vendor's names belong: the dialects, the source that reads one of its servers, and the
 * attributes that instrumentations of spans use.
 */
const isOfVendor = (file: string): boolean =>
  ['src/formats/dialect/', 'src/formats/mapping/conventions/', 'src/importers/weave/'].some((folder) =>
    file.startsWith(folder),
  )

/** Names of settings and variables that hold the time limit of a query, however they are called. */
const timeLimitName = /^(?:query|read|statement)_?time(?:out|_?limit)_?(?:ms|s|seconds)/i

const counted = (name: string, found: readonly string[], max: number): Measure => ({
  name,
  value: found.length,
  found,
  max,
})

const lineCount = (source: string): number => source.split('\n').length - (source.endsWith('\n') ? 1 : 0)

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0)

/** The folder right below src/, or the subject, with the most lines. */
function largestRoom(lines: ReadonlyMap<string, number>): readonly [string, number] {
  const rooms = Map.groupBy(lines, ([file]) => roomOf(file))
  const sizes = [...rooms].map(([room, files]) => [room, sum(files.map(([, count]) => count))] as const)
  return sizes.sort(([, one], [, other]) => other - one)[0] ?? ['', 0]
}

const roomOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('src/domains/') ? 3 : 2)
    .join('/')
