import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** What may be a class of a CSS module: its own name, and a hash of the path of its module. */
const anywhere = /(?<![\w-])[A-Za-z][\w-]*_[\w-]{6}(?![\w-])/g

/** So many characters of the hash tell modules apart. */
const hashChars = 4

/**
 * Gives the classes of CSS modules short names in the scripts and styles of a folder: a part of the
 * hash and a letter. A name follows from the classes of its own module, which are in one file, so
 * that a file whose content is the same before has the same content after.
 *
 * @param classes those of each module, as Bun names them
 * @throws Error if two modules have the same part of the hash
 */
export async function shortenClassNames(folder: string, classes: Iterable<Iterable<string>>): Promise<void> {
  const names = shortNames(classes)
  for (const name of await readdir(folder)) {
    if (!/\.(?:js|css)$/.test(name)) continue
    const file = path.join(folder, name)
    const text = await Bun.file(file).text()
    const shorter = text.replaceAll(anywhere, (found) => names.get(found) ?? found)
    if (shorter !== text) await Bun.write(file, shorter)
  }
}

/** Short names by the names that Bun gave. */
export function shortNames(modules: Iterable<Iterable<string>>): Map<string, string> {
  const taken = new Map<string, string>()
  const short = new Map<string, string>()
  for (const classes of modules) {
    for (const [index, name] of [...classes].entries()) {
      const hash = name.slice(name.length - 6)
      const part = hash.slice(0, hashChars)
      const other = taken.get(part) ?? hash
      if (other !== hash) throw new Error(`Shorten class names: ${other} and ${hash} begin alike; raise hashChars`)
      taken.set(part, hash)
      short.set(name, `_${part}${letters(index)}`)
    }
  }
  return short
}

/** `a`, `b`, … `z`, `ba`, … */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26))) + String.fromCharCode(97 + (index % 26))
