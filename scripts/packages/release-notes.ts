/**
 * The part of a changelog (Keep a Changelog) about one version, without its heading.
 *
 * @throws Error if there is none
 */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`))
  if (start < 0) throw new Error(`Write the release notes: CHANGELOG.md has no version ${version}`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const part = length < 0 ? lines.slice(start + 1) : lines.slice(start + 1, start + 1 + length)
  return `${part.join('\n').trim()}\n`
}
