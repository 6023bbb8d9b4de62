/** The package is installed when the guide is built, and not for checks. */
declare module 'minisearch' {
  interface Options {
    readonly fields: readonly string[]
    readonly searchOptions: {
      readonly boost: Readonly<Record<string, number>>
      readonly prefix: boolean
      readonly combineWith: 'AND' | 'OR'
      readonly fuzzy: (word: string) => number | false
    }
  }
  export default class MiniSearch {
    constructor(options: Options)
    addAll(documents: readonly object[]): void
    search(words: string): readonly { readonly id: unknown }[]
  }
}
