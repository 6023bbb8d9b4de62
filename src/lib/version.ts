import packageJson from '../../package.json' with { type: 'json' }

/** Server version, from `package.json`. */
export const version: string = packageJson.version
