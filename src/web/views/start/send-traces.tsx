import { Tabs } from '../../components/controls/tabs.tsx'
import type { SnippetFacts } from '../../snippets/snippet.ts'
import { snippetsFor } from '../../snippets/snippets.ts'
import { text } from '../../state/search-text.ts'
import { session } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { startText } from '../../text/start.ts'
import { DemoCard } from './demo-card.tsx'
import { ImportBox } from './import-box.tsx'
import { KeyCard } from './key-card.tsx'
import { Listening } from './listening.tsx'
import { MissingKey } from './missing-key.tsx'
import css from './send-traces.module.css'
import { SnippetSteps } from './snippet-steps.tsx'
import { useSnippetKey } from './use-snippet-key.ts'

const state = urlState({ client: text() })

/**
 * The ways to send traces to a project, each as a snippet to copy; listens, and opens the first
 * trace. Below, the demo, the key, and imports.
 */
export function SendTraces({ projectId, isEmpty }: SendTracesProps) {
  const who = session.value
  const snippets = snippetsFor(who?.dialect)
  const snippet = snippets.find(({ id }) => id === state.values.value.client) ?? snippets[0]
  const url = who?.public_url ?? location.origin
  const snippetKey = useSnippetKey(projectId, isEmpty === true)
  const facts: SnippetFacts = {
    url,
    grpcUrl: who?.grpc_url ?? null,
    projectId,
    key: snippetKey.value ?? startText.keyPlaceholder,
    command: who?.command ?? 'tracelake',
    dataFolder: who?.data_folder ?? null,
  }
  if (!snippet) return null
  return (
    <>
      <div class={css.box}>
        <div class={css.tabs}>
          <Tabs
            tabs={snippets.map(({ id, name }) => ({ id, label: name }))}
            current={snippet.id}
            onSelect={(client) => state.replace({ client })}
            label={startText.hasTraces}
            panelId="snippet"
          />
        </div>
        <div id="snippet" role="tabpanel">
          {snippetKey.value === undefined && <MissingKey projectId={projectId} snippetKey={snippetKey} />}
          <SnippetSteps snippet={snippet} facts={facts} dialect={who?.dialect} />
        </div>
        {isEmpty !== undefined && <Listening key={projectId} projectId={projectId} isEmpty={isEmpty} url={url} />}
      </div>
      <div class={css.cards}>
        <DemoCard projectId={projectId} />
        {snippetKey.value !== undefined && <KeyCard projectId={projectId} snippetKey={snippetKey} />}
      </div>
      {isEmpty && <ImportBox facts={facts} />}
      <p class={css.facts}>
        <span>
          {startText.address} <code>{url}</code>
        </span>
        {facts.grpcUrl !== null && (
          <span>
            {startText.grpcAddress} <code>{facts.grpcUrl}</code>
          </span>
        )}
      </p>
    </>
  )
}

interface SendTracesProps {
  readonly projectId: string
  /** Whether the project has no trace yet; undefined until that is known. */
  readonly isEmpty: boolean | undefined
}
