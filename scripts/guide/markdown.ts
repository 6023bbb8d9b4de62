import type { EleventyConfig, MarkdownIt } from '@11ty/eleventy'
import * as prism from 'prismjs'
import loadLanguages from 'prismjs/components/index.js'
import { fragmentOf } from './outline.ts'

/** Languages of fenced blocks by the names that the documents use. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  jsonc: 'json5',
}

/** Makes Eleventy render Markdown as GitHub does: highlighted code, headings with addresses. */
export function configureMarkdown(config: EleventyConfig): void {
  loadLanguages(['bash', 'typescript', 'python', 'json', 'json5', 'toml', 'yaml', 'sql', 'ini', 'nginx', 'csv'])
  config.amendLibrary('md', (markdown) => {
    markdown.set({ html: true, highlight })
    addHeadingAddresses(markdown)
    wrapTables(markdown)
    makeCodeFocusable(markdown)
  })
}

/** @returns HTML, or nothing for languages that are not known: the library then escapes the code */
function highlight(code: string, language: string): string {
  const name = languages[language] ?? language
  const grammar = prism.languages[name]
  return grammar === undefined ? '' : prism.highlight(code, grammar, name)
}

function addHeadingAddresses({ renderer }: MarkdownIt): void {
  renderer.rules['heading_open'] = (tokens, index, options, _, self) => {
    tokens[index]!.attrSet('id', fragmentOf(tokens[index + 1]!.content))
    return self.renderToken(tokens, index, options)
  }
}

/** Blocks of code scroll, so keys have to reach them. */
function makeCodeFocusable({ renderer }: MarkdownIt): void {
  const render = renderer.rules['fence']!
  renderer.rules['fence'] = (...parts) => render(...parts).replace('<pre>', '<pre tabindex="0">')
}

/** A wide table scrolls by itself, so that the page does not. */
function wrapTables({ renderer }: MarkdownIt): void {
  renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  renderer.rules['table_close'] = () => '</table></div>\n'
}
