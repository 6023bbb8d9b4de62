import { CopyButton } from '../components/controls/copy-button.tsx'
import type { SnippetFacts, SnippetStep } from './snippet.ts'
import css from './snippet-cards.module.css'
import { SnippetCode } from './snippet-code.tsx'

interface SnippetCardsProps {
  readonly steps: readonly SnippetStep[]
  readonly facts: Pick<SnippetFacts, 'url' | 'projectId' | 'key'>
}

/** Steps of a program in a dialog, each to be copied as a whole. */
export const SnippetCards = ({ steps, facts }: SnippetCardsProps) => (
  <>
    {steps.map((step) => (
      <section key={step.title} class={css.step} aria-label={step.title}>
        <header class={css.head}>
          <span>{step.title}</span>
          <CopyButton text={step.code} words />
        </header>
        <SnippetCode {...step} facts={{ ...facts, grpcUrl: null, command: '', dataFolder: null }} />
      </section>
    ))}
  </>
)
