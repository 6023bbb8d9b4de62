/** The source trees of the repository, and which of them each may import. */
export const trees = {
  src: { imports: ['src'], holds: 'the product' },
  scripts: { imports: ['scripts', 'src'], holds: 'commands for people who work on it' },
  test: { imports: ['test', 'scripts', 'src'], holds: 'tests, also those beside the sources of the other two' },
} as const satisfies Record<string, { imports: readonly string[]; holds: string }>

export type Tree = keyof typeof trees

/**
 * The tree that the rules count `file` to, a path from the root of the repository; undefined
 * outside all trees.
 */
export function treeOf(file: string): Tree | undefined {
  const [first = ''] = file.split('/')
  if (!Object.hasOwn(trees, first)) return undefined
  return isTest(file) ? 'test' : (first as Tree)
}

/**
 * Whether `file` is a unit test, which may stand beside its source and still belongs to the tests.
 */
export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

/**
 * The part of the repository that `file` belongs to where cycles are looked for: two levels of
 * folders below its tree, or the file itself where it lies higher.
 */
export function partOf(file: string): string {
  return file
    .split('/')
    .slice(0, 3)
    .join('/')
    .replace(/\.tsx?$/, '')
}
