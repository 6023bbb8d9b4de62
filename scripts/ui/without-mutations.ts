/**
 * Leaves the mutations of `@tanstack/query-core` out of a bundle. The UI has none, but every client
 * has a cache for them, and with it their code: 1 KB of what the first page loads.
 */
export const withoutMutations: Bun.BunPlugin = {
  name: 'without-mutations',
  setup: (build) => {
    build.onLoad({ filter: /query-core\/build\/modern\/mutation\.js$/ }, () => ({
      loader: 'js',
      contents: "export class Mutation { constructor() { throw new Error('Mutations are left out of this bundle') } }",
    }))
  },
}
