/**
 * Every module that `source` (TypeScript) names in an import or re-export, also those that it
 * imports for their types only: a type from a higher layer is a dependency too.
 */
export function importsOf(source: string, file = 'source.ts'): string[] {
  const found = transpilerOf(file)
    .scanImports(asValueImports(source))
    .map(({ path }) => path)
  const inTypes = [...source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, path]) => path as string)
  return [...new Set([...found, ...inTypes])]
}

/** The modules that `source` imports at run time: what it imports for types only is left out. */
export const valueImportsOf = (source: string, file: string): string[] =>
  transpilerOf(file)
    .scanImports(source)
    .map(({ path }) => path)

/** The modules that are loaded together with `source`: neither types nor what it loads later. */
export const loadedWith = (source: string, file: string): string[] =>
  transpilerOf(file)
    .scanImports(source)
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => path)

/**
 * Runtime globals that `source` uses: `Bun`, `Deno`, `process`, by themselves or as members of
 * `globalThis`.
 */
export function runtimeGlobalsOf(source: string, file = 'source.ts'): string[] {
  // Types and comments are gone after this; a look at single words is enough for the rest.
  const code = transpilerOf(file).transformSync(source)
  const uses = code.matchAll(/(?:(?<![.\w$])|globalThis\s*\.\s*)(Bun|Deno|process)\s*(?:\?\.|[.[])/g)
  return [...new Set([...uses].map(([, name]) => name as string))]
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts', trimUnusedImports: false }),
  tsx: new Bun.Transpiler({ loader: 'tsx', trimUnusedImports: false }),
}

const transpilerOf = (file: string): Bun.Transpiler => transpilers[file.endsWith('.tsx') ? 'tsx' : 'ts']

/** The transpiler drops imports of types before it lists them. */
function asValueImports(source: string): string {
  return source
    .replace(/^#!.*/, '')
    .replace(/^import type /gm, 'import ')
    .replace(/^export type (?=[{*])/gm, 'export ')
    .replace(/([{,]\s*)type (?=[A-Za-z_$])/g, '$1')
}
