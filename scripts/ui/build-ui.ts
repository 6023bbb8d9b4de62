import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { chunksOfViews } from './chunks-of-views.ts'
import { compressFiles } from './compress-files.ts'
import { loadedAtOnce, stylesByModule, stylesInScripts } from './lazy-styles.ts'
import { findSharedModules } from './shared-modules.ts'
import { shortenClassNames } from './shorten-class-names.ts'
import { uniteChunks } from './unite-chunks.ts'
import { withoutMutations } from './without-mutations.ts'

/** The script of src/web that sets the theme; it runs before the first paint. */
const bootScript = 'theme-boot.ts'
/** The script of src/web that asks for rows before the scripts of the page are there. */
const rowsScript = 'first-rows.ts'
/** Views whose rows it asks for. */
const viewsWithRows: readonly string[] = ['traces', 'calls']

/**
 * Builds src/web into `folder`: the shell `index.html`, and hashed files in `assets/` with `.br`
 * and `.gz` beside each; `views.json` names the scripts of each view, and the script that fetches
 * its first rows. All references are relative, so the files work under any base path. The folder is
 * replaced as a whole; several builds at once do not disturb each other.
 */
export async function buildUi(repository: string, folder: string): Promise<void> {
  const stage = `${folder}-${process.pid}`
  await rm(stage, { recursive: true, force: true })
  try {
    const web = path.join(repository, 'src/web')
    const options = { entrypoints: [path.join(web, 'index.html')], splitting: true }
    const app = path.join(web, 'app.tsx')
    const addStyles = path.join(web, 'style/add-styles.ts')
    const ofEntry = [[app, [addStyles, ...(await sharedModules(options, repository, app))]]] as const
    const { lazy, classes } = await readStyles({ ...options, plugins: [importing(ofEntry)] }, { repository, app })
    const styles = stylesInScripts(lazy, { repository, addStyles })
    const ofViews = await unitedModules({ ...options, plugins: [importing(ofEntry), styles] }, repository)
    const { metafile } = await build({
      ...options,
      metafile: true,
      plugins: [importing([...ofEntry, ...ofViews]), styles],
      outdir: stage,
      naming: {
        entry: '[name].[ext]',
        chunk: 'assets/[name]-[hash].[ext]',
        asset: 'assets/[name]-[hash].[ext]',
      },
    })
    const views = chunksOfViews(metafile!.outputs)
    const first = await bundleClassic(path.join(web, rowsScript), stage)
    const files = Object.entries(views).map(([view, scripts]) => {
      return [view, { scripts, ...(viewsWithRows.includes(view) && { first }) }]
    })
    await Bun.write(path.join(stage, 'views.json'), JSON.stringify(Object.fromEntries(files)))
    if (await Bun.file(path.join(web, bootScript)).exists()) await addBootScript(path.join(web, bootScript), stage)
    await removeUnusedStyles(stage)
    await shortenClassNames(path.join(stage, 'assets'), classes)
    await hintToCompile(stage, Object.values(views).flat())
    await compressFiles(path.join(stage, 'assets'))
    await replaceFolder(stage, folder)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/**
 * The modules that the entry should load for all views, by their paths. What is left of a chunk
 * when the entry has taken some of it may be small as well, so it is looked at again.
 */
async function sharedModules(options: Bun.BuildConfig, repository: string, app: string): Promise<string[]> {
  const entry = path.relative(repository, options.entrypoints[0]!)
  const shared = new Set<string>()
  for (;;) {
    const { metafile } = await build({ ...options, metafile: true, plugins: [importing([[app, [...shared]]])] })
    const found = findSharedModules(metafile!.outputs, { entry, chunkBytesMax: sharedChunkBytesMax, usersMin })
    const before = shared.size
    for (const module of found) shared.add(path.join(repository, module))
    if (shared.size === before) return [...shared]
  }
}

/** What fewer views need stays out of the entry, which all of them load. */
const usersMin = 5
/** Larger chunks are worth a request of their own. */
const sharedChunkBytesMax = 1000

/** The modules that views should load in addition, so that they load fewer files. */
async function unitedModules(options: Bun.BuildConfig, repository: string): Promise<[string, string[]][]> {
  const { metafile } = await build({ ...options, metafile: true })
  const entry = path.relative(repository, String(options.entrypoints[0]))
  const united = uniteChunks(metafile!.outputs, { entry, requestBytes, weightOf: openedOften })
  const absolute = (module: string): string => path.join(repository, module)
  return [...united].map(([view, modules]) => [absolute(view), modules.map(absolute)])
}

/** A browser reads and compiles so much of a script in the time that another file takes. */
const requestBytes = 2_500

/** Projects open with the tables of traces and calls, which lead to a trace and its calls. */
const openedOften = (entryPoint: string): number =>
  /\/(?:traces|calls|trace)-view\.tsx$|\/web\/(?:call|markdown)\//.test(entryPoint) ? 10 : 1

/** Makes scripts import more modules than they say. */
const importing = (more: readonly (readonly [script: string, modules: readonly string[]])[]): Bun.BunPlugin => ({
  name: 'importing',
  setup: (build) => {
    const modulesOf = new Map(more)
    const filter = new RegExp(`^(?:${[...modulesOf.keys()].map((script) => RegExp.escape(script)).join('|')})$`)
    build.onLoad({ filter }, async ({ path: file }) => ({
      loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
      contents: `${await Bun.file(file).text()}\n${importsOf(modulesOf.get(file) ?? [])}\n`,
    }))
  },
})

/** A package without side effects, such as icons, is left out unless something of it is used. */
function importsOf(modules: readonly string[]): string {
  const ofPackages = modules.filter((module) => module.includes('/node_modules/'))
  return [
    ...modules.map((module) => `import ${JSON.stringify(module)}`),
    ...ofPackages.map((module, index) => `import * as shared${index} from ${JSON.stringify(module)}`),
    `Object.freeze([${ofPackages.map((_, index) => `shared${index}`).join(', ')}])`,
  ].join('\n')
}

/** The styles that only views need, by module, and the classes of every module. */
async function readStyles(options: Bun.BuildConfig, { repository, app }: { repository: string; app: string }) {
  // With white space kept, the bundler names the file of every style in a comment.
  const { outputs, metafile } = await build({
    ...options,
    metafile: true,
    minify: { syntax: true, identifiers: true, whitespace: false },
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  })
  const ofShell = Object.values(metafile!.outputs).find(({ entryPoint }) => entryPoint?.endsWith('.html'))
  const sheet = outputs.find((output) => output.path.endsWith('.css') && output.path === ofShell?.cssBundle)
  const styles = stylesByModule(await sheet!.text())
  const loaded = loadedAtOnce(path.relative(repository, app), metafile!.inputs)
  return {
    lazy: new Map([...styles].filter(([file]) => !loaded.has(file))),
    classes: [...styles.values()].map((each) => each.classes.values()),
  }
}

/**
 * Bun would merge a classic script into the module, which runs after the first paint. So it is
 * bundled by itself and loaded first.
 */
async function addBootScript(source: string, stage: string): Promise<void> {
  const script = await bundleClassic(source, stage)
  const file = path.join(stage, 'index.html')
  const shell = await Bun.file(file).text()
  await Bun.write(
    file,
    shell.replace('<head>', () => `<head><script src="./${script}"></script>`),
  )
}

/**
 * Asks Chromium to compile the scripts of the page and its views as a whole while they are loaded,
 * beside the main thread; otherwise that compiles each function when it is first called.
 * https://v8.dev/blog/explicit-compile-hints
 */
async function hintToCompile(stage: string, ofViews: readonly string[]): Promise<void> {
  const shell = await Bun.file(path.join(stage, 'index.html')).text()
  const ofPage = [...shell.matchAll(/src="\.\/(assets\/index-[^"]+\.js)"/g)].map(([, script = '']) => script)
  for (const script of new Set([...ofPage, ...ofViews])) {
    const file = path.join(stage, script)
    await Bun.write(file, `//# allFunctionsCalledOnLoad\n${await Bun.file(file).text()}`)
  }
}

/**
 * The style sheet that the shell loads holds what every page needs; views bring the rest in their
 * scripts. Bun writes style sheets for views as well, which nothing loads.
 */
async function removeUnusedStyles(stage: string): Promise<void> {
  const shell = await Bun.file(path.join(stage, 'index.html')).text()
  const assets = path.join(stage, 'assets')
  for (const name of await readdir(assets))
    if (name.endsWith('.css') && !shell.includes(name)) await rm(path.join(assets, name))
}

/** Bundles a script that is no module. @returns its path below `stage` */
async function bundleClassic(source: string, stage: string): Promise<string> {
  const { outputs } = await build({
    entrypoints: [source],
    outdir: path.join(stage, 'assets'),
    format: 'iife',
    naming: '[name]-[hash].[ext]',
  })
  return path.relative(stage, outputs[0]!.path)
}

async function build(config: Bun.BuildConfig): Promise<Bun.BuildOutput> {
  const built = await Bun.build({
    minify: true,
    ...config,
    plugins: [withoutMutations, ...(config.plugins ?? [])],
    target: 'browser',
    throw: false,
  })
  for (const message of built.logs) console.error(message)
  if (!built.success) throw new Error('Cannot build the web UI: see the messages above')
  return built
}

/** Renaming fails while another build has its own folder in place; that one is moved away. */
async function replaceFolder(from: string, to: string): Promise<void> {
  const old = `${from}-old`
  await mkdir(path.dirname(to), { recursive: true })
  for (let attempt = 1; ; attempt++) {
    await rename(to, old).catch(ignoreMissing)
    try {
      await rename(from, to)
      break
    } catch (cause) {
      if (attempt === 10) throw cause
    } finally {
      await rm(old, { recursive: true, force: true })
    }
  }
}

function ignoreMissing(cause: Error): void {
  if (!('code' in cause && cause.code === 'ENOENT')) throw cause
}
