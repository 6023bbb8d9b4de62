/** A setting is invalid; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * An empty value usually comes from an unset shell variable. It would mean the current folder, or
 * all interfaces.
 *
 * @throws ConfigError
 */
export const filled = (option: string, text: string): string => {
  if (text.trim() === '') throw new ConfigError(`${option} must not be empty`)
  return text
}

/** @throws ConfigError */
export const wholeNumber = (name: string, text: string, min: number, max: number): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`)
  }
  return value
}

/** @throws ConfigError */
export const httpAddress = (name: string, text: string | undefined): string | undefined => {
  if (text !== undefined && !/^https?:\/\/[^\s/]+/.test(text)) {
    throw new ConfigError(`${name} must be an http or https URL, not "${text}"`)
  }
  return text
}

/** @throws ConfigError */
export const oneOf = <T extends string>(name: string, text: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text)
  if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
  return found
}
