import { ConfigError } from '../config/config-error.ts'
import { codeOf } from '../platform/files/files.ts'
import type { AwsSurroundings } from './aws-surroundings.ts'

/**
 * The settings of the profile in `AWS_PROFILE`, or of `default`: of the config file, and over them
 * those of the credentials file.
 *
 * @throws ConfigError if a profile that was asked for does not exist
 */
export async function readProfile(around: AwsSurroundings): Promise<Readonly<Record<string, string>>> {
  const { variable, home } = around
  const asked = variable('AWS_PROFILE')
  const name = asked ?? 'default'
  const config = variable('AWS_CONFIG_FILE') ?? `${home}/.aws/config`
  const credentials = variable('AWS_SHARED_CREDENTIALS_FILE') ?? `${home}/.aws/credentials`
  const ofConfig = sectionOf(
    await textOf(around, config),
    name === 'default' ? ['default', 'profile default'] : [`profile ${name}`],
  )
  const ofCredentials = sectionOf(await textOf(around, credentials), [name])
  if (asked !== undefined && ofConfig === undefined && ofCredentials === undefined)
    throw new ConfigError(`AWS_PROFILE is "${asked}", but neither ${config} nor ${credentials} has such a profile`)
  return { ...ofConfig, ...ofCredentials }
}

async function textOf({ readText }: AwsSurroundings, file: string): Promise<string> {
  try {
    return await readText(file)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return ''
    throw new ConfigError(`Cannot read ${file}`, { cause })
  }
}

/** The settings of the sections of these names, without nested ones; undefined if there is none. */
function sectionOf(text: string, names: readonly string[]): Record<string, string> | undefined {
  let found: Record<string, string> | undefined
  let isInside = false
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) {
      isInside = names.includes(header.replace(/\s+/g, ' ').replace(/^profile "(.*)"$/, 'profile $1'))
      if (isInside) found ??= {}
      continue
    }
    const [, key, value] = /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (isInside && found !== undefined && key !== undefined && value) found[key.toLowerCase()] = value
  }
  return found
}
