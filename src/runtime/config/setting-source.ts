import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { readTextNow } from '../platform/files/files.ts'
import { ConfigError } from './config-error.ts'
import { settable } from './setting-names.ts'

/**
 * Reads a configuration file: JSON with comments, whose members are settings in lower case, for
 * example `{ "port": 8470, "redact": true, "private_hosts": ["localhost:11434"] }`.
 *
 * @returns values by name of the environment variable
 * @throws ConfigError naming the file and the member
 */
function readConfigFile(file: string): ReadonlyMap<string, string> {
  const errors: ParseError[] = []
  const root: unknown = parse(textOf(file), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined)
    throw new ConfigError(`${file}: not valid JSON: ${printParseErrorCode(error.error)} at character ${error.offset}`)
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    throw new ConfigError(`${file}: must be a JSON object`)
  return new Map(
    Object.entries(root).map(([member, value]) => [variableOf(file, member), textFrom(file, member, value)]),
  )
}

function textOf(file: string): string {
  try {
    return readTextNow(file)
  } catch (cause) {
    throw new ConfigError(`Cannot read the configuration file "${file}"`, { cause })
  }
}

function variableOf(file: string, member: string): string {
  const name = member.toUpperCase()
  if (
    member !== member.toLowerCase() ||
    !((name !== 'CONFIG' && settable.has(name)) || /^[A-Z0-9_]+_BASE_URL$/.test(name))
  )
    throw new ConfigError(`${file}: unknown setting "${member}"; "tracelake serve --help" lists the settings`)
  return `TRACELAKE_${name}`
}

function textFrom(file: string, member: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  throw new ConfigError(`${file}: "${member}" must be a string, a number, true, false, a list of strings or an object`)
}

type Lookup = (name: string) => string | undefined

/** Where settings come from. */
interface SettingSource {
  readonly variable: Lookup
  readonly isFromFile: (name: string) => boolean
}

/**
 * Looks settings up in the environment, then in the configuration file. In place of a variable with
 * a secret, `…_FILE` can name a file that holds it, as container platforms mount secrets. See
 * docs/decisions/141-settings-file-and-secret-files.md.
 *
 * @throws ConfigError if the configuration file is invalid; lookups, if a secret cannot be read
 */
export function settingSource(environment: Lookup, configFile: string | undefined): SettingSource {
  const file = configFile ?? environment('TRACELAKE_CONFIG')
  const members = file === undefined ? new Map<string, string>() : readConfigFile(file)
  const variable: Lookup = (name) => {
    if (name === 'TRACELAKE_CONFIG') return file
    return variableOrFile(name, environment) ?? variableOrFile(name, (member) => members.get(member))
  }
  const isFromFile = (name: string): boolean =>
    variableOrFile(name, environment) === undefined && variable(name) !== undefined && name !== 'TRACELAKE_CONFIG'
  return { variable, isFromFile }
}

const secretNames = /(?:ADMIN_KEY|API_KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD)$/

/**
 * A variable, or the content of the file that `…_FILE` names if the variable may hold a secret.
 *
 * @throws ConfigError if both are set, or the file cannot be read
 */
function variableOrFile(name: string, lookup: Lookup): string | undefined {
  const text = lookup(name)
  const file = secretNames.test(name) ? lookup(`${name}_FILE`) : undefined
  if (file === undefined) return text
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; set one of them`)
  try {
    return readTextNow(file).replace(/\r?\n$/, '')
  } catch (cause) {
    throw new ConfigError(`${name}_FILE: cannot read "${file}"`, { cause })
  }
}
