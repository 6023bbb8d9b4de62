import { expect, test } from 'bun:test'
import { targets } from '../executable/targets.ts'
import { homebrewFormula } from './homebrew-formula.ts'

const product = {
  version: '1.2.3',
  description: 'Trace store: one process',
  license: 'Apache-2.0',
  readme: '',
  licenseText: '',
}
const archives = targets.map((target) => ({
  target,
  name: `tracelake-1.2.3-${target.name}.tar.xz`,
  sha256: `sha-of-${target.name}`,
}))

test('a formula has the archive of each system that Homebrew runs on, once', () => {
  const formula = homebrewFormula(archives, 'https://example.com/1.2.3', product)
  const downloads = [...formula.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)].map(([, url, sha256]) => [url, sha256])
  expect(downloads).toEqual(
    ['darwin-arm64', 'darwin-x64', 'linux-x64', 'linux-arm64'].map((name) => [
      `https://example.com/1.2.3/tracelake-1.2.3-${name}.tar.xz`,
      `sha-of-${name}`,
    ]),
  )
  expect(formula).toContain('desc "Trace store"')
  const opened = formula.match(/^ *(class|on_\w+ do|def|service do|test do)\b/gm)?.length
  expect(formula.match(/^ *end$/gm)?.length).toBe(opened)
})
