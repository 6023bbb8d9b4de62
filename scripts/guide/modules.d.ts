// The packages of this folder are installed when the guide is built, and not for checks.

declare module '@11ty/eleventy' {
  export interface EleventyConfig {
    setLibrary(name: 'md', library: unknown): void
    setTemplateFormats(formats: readonly string[]): void
    setMarkdownTemplateEngine?: never
    addTemplate(name: string, text: string, data: Readonly<Record<string, unknown>>): void
    addGlobalData(name: string, value: unknown): void
    addFilter(name: string, filter: (value: string) => string): void
    setUseGitIgnore(isUsed: boolean): void
    amendLibrary(name: 'md', amend: (library: MarkdownIt) => void): void
  }
  export interface MarkdownIt {
    set(options: { html?: boolean; highlight?: (code: string, language: string) => string }): MarkdownIt
    renderer: {
      rules: Record<
        string,
        | ((tokens: MarkdownToken[], index: number, options: unknown, env: unknown, self: MarkdownRenderer) => string)
        | undefined
      >
    }
  }
  export interface MarkdownToken {
    tag: string
    content: string
    info: string
    attrSet(name: string, value: string): void
  }
  export interface MarkdownRenderer {
    renderToken(tokens: MarkdownToken[], index: number, options: unknown): string
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: false; config: (config: EleventyConfig) => unknown },
    )
    write(): Promise<void>
  }
}

declare module 'prismjs' {
  export const languages: Readonly<Record<string, object | undefined>>
  export function highlight(code: string, grammar: object, language: string): string
}

declare module 'prismjs/components/index.js' {
  export default function loadLanguages(names: readonly string[]): void
}
