import { readTextNow } from '../platform/files/files.ts'
import { ConfigError } from './config-error.ts'
import { readConfigFile } from './config-file.ts'

type Lookup = (name: string) => string | undefined

/** Where settings come from. */
export interface SettingSource {
  readonly variable: Lookup
  readonly isFromFile: (name: string) => boolean
}

/**
 * Looks settings up in the environment, then in the configuration file. In place of a variable with
 * a secret, `…_FILE` can name a file that holds it, as container platforms mount secrets.
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
