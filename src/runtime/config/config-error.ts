/** A setting is invalid; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
