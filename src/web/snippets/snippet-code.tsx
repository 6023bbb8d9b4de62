import { highlight } from './highlight.ts'
import type { SnippetFacts, SnippetStep } from './snippet.ts'
import css from './snippet-code.module.css'

/** Code to run or to save; filled-in values are highlighted. */
export const SnippetCode = ({ code, language, facts }: SnippetCodeProps) => (
  <pre class={css.code} tabIndex={0}>
    <code>
      {highlight(code, language, [
        facts.url,
        facts.projectId,
        facts.key,
        ...(facts.grpcUrl === null ? [] : [facts.grpcUrl]),
      ]).map(({ kind, text }, at) =>
        kind === 'plain' ? (
          text
        ) : (
          <span key={at} class={css[kind]}>
            {text}
          </span>
        ),
      )}
    </code>
  </pre>
)

interface SnippetCodeProps {
  readonly code: string
  readonly language: SnippetStep['language']
  readonly facts: SnippetFacts
}
