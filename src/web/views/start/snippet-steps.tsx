import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { type Snippet, type SnippetFacts, serveCommand } from '../../snippets/snippet.ts'
import { SnippetCode } from '../../snippets/snippet-code.tsx'
import { startText } from '../../text/start.ts'
import css from './snippet-steps.module.css'

/** The steps of a way to send traces, each to be copied as a whole. */
export const SnippetSteps = ({ snippet, facts, dialect }: SnippetStepsProps) => (
  <>
    {snippet.needsWeave && dialect === 'ext' && (
      <Banner action={<CopyButton text={serveCommand(facts, '--dialect weave')} />}>
        {startText.dialect} <code>{serveCommand(facts, '--dialect weave')}</code>
      </Banner>
    )}
    {snippet.steps(facts).map(({ title, language, code }, index) => (
      <section key={title} class={css.step}>
        <header class={css.head}>
          <span class={css.number}>{index + 1}</span>
          <h2 class={css.title}>{title}</h2>
          <CopyButton text={code} words />
        </header>
        <SnippetCode code={code} language={language} facts={facts} />
      </section>
    ))}
  </>
)

interface SnippetStepsProps {
  readonly snippet: Snippet
  readonly facts: SnippetFacts
  readonly dialect: 'ext' | 'weave' | undefined
}
