import path from 'node:path'

/** A style sheet of src/web, as the bundler writes it. */
export interface ModuleStyles {
  /** Its rules, with the names that the bundler gives to classes. */
  readonly css: string
  /** Where it stands among all style sheets: later rules win. */
  readonly order: number
  /** The bundler's names of its classes by their own. */
  readonly classes: ReadonlyMap<string, string>
}

/** What a build says about a file that it read. */
export interface Input {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
}

/**
 * The style sheets in the bundler's output with comments, in which the path of each file precedes
 * its rules.
 *
 * @param sheet the style sheet that holds all others
 * @returns style sheets by their paths in the comments
 */
export function stylesByModule(sheet: string): Map<string, ModuleStyles> {
  const [, ...pieces] = sheet.split(/^\/\* (src\/\S+\.css) \*\/$/m)
  const styles = new Map<string, ModuleStyles>()
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const [file = '', css = ''] = pieces.slice(at, at + 2)
    styles.set(file, { css: css.trim(), order: styles.size, classes: classesOf(css) })
  }
  return styles
}

/** A class of a CSS module: its own name, and a hash of the path of its module. */
const classPattern = /\.([A-Za-z][\w-]*)_([\w-]{6})(?![\w-])/g

const classesOf = (css: string): Map<string, string> =>
  new Map([...css.matchAll(classPattern)].map(([, name = '', hash = '']) => [name, `${name}_${hash}`]))

/** The files that a file imports at once: what is imported by a call is loaded later. */
export function loadedAtOnce(file: string, inputs: Readonly<Record<string, Input>>, seen = new Set<string>()) {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const { path: imported, kind } of inputs[file]?.imports ?? [])
    if (kind !== 'dynamic-import') loadedAtOnce(imported, inputs, seen)
  return seen
}

/**
 * Puts the rules of CSS modules into the scripts that use them, so that a view brings its own
 * styles and no page loads those of all views: docs/decisions/234-styles-in-scripts.md.
 *
 * @param modules by their paths in the repository
 * @param addStyles the module that adds rules to the page
 */
export const stylesInScripts = (
  modules: ReadonlyMap<string, ModuleStyles>,
  { repository, addStyles }: { repository: string; addStyles: string },
): Bun.BunPlugin => ({
  name: 'styles-in-scripts',
  setup: (build) => {
    build.onLoad({ filter: /\.module\.css$/ }, ({ path: file }) => {
      const styles = modules.get(path.relative(repository, file))
      return styles && { loader: 'js', contents: scriptOf(styles, addStyles) }
    })
  },
})

const scriptOf = ({ css, order, classes }: ModuleStyles, addStyles: string): string =>
  [
    `import { addStyles } from ${JSON.stringify(addStyles)}`,
    `addStyles(${order}, ${JSON.stringify(css)})`,
    `export default ${JSON.stringify(Object.fromEntries(classes))}`,
  ].join('\n')
