import packageJson from '../package.json' with { type: 'json' }

/** Version of this server, from `package.json`. */
export const version: string = packageJson.version
