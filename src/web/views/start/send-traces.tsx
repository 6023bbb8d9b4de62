import { KeyRound } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { createKey, isInUse, type KeyRecord, keysQuery } from '../../api/keys.ts'
import { Button } from '../../components/controls/button.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Card } from '../../components/display/card.tsx'
import { Banner } from '../../components/states/banner.tsx'
import type { SnippetFacts } from '../../snippets/snippet.ts'
import { snippetsFor } from '../../snippets/snippets.ts'
import { queries } from '../../state/query-signal.ts'
import { text } from '../../state/search-text.ts'
import { canWrite, isAdmin, session } from '../../state/session.ts'
import { forgetSnippetKeys, keepSnippetKey, snippetKeyOf } from '../../state/snippet-keys.ts'
import { showError } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { startText } from '../../text/start.ts'
import { DemoCard } from './demo-card.tsx'
import { ImportBox } from './import-box.tsx'
import { Listening } from './listening.tsx'
import css from './send-traces.module.css'
import { SnippetSteps } from './snippet-steps.tsx'

/** The key in the snippets of a project. */
interface SnippetKey {
  /** Undefined if there is none, or none that this tab knows. */
  readonly value: string | undefined
  readonly isBusy: boolean
  /** Creates a key and puts it into the snippets. Only admins can. */
  readonly make: () => Promise<void>
}

/**
 * The key that an admin puts into the snippets: one of the project's own, kept for this tab. It is
 * created on the first visit to an empty project; later visits do not create a second one.
 */
function useSnippetKey(projectId: string, isEmpty: boolean): SnippetKey {
  const [value, setValue] = useState(() => snippetKeyOf(projectId))
  const [isBusy, setBusy] = useState(false)
  const name = `snippet-${projectId.replace('/', '-')}`
  const make = async (): Promise<void> => {
    setBusy(true)
    try {
      const { key } = await createKey({ name, role: 'write', scope: projectId })
      keepSnippetKey(projectId, key)
      setValue(key)
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const check = async (): Promise<void> => {
    const { keys } = await queries.fetchQuery(keysQuery)
    if (value === undefined) {
      if (!keys.some((key) => key.name === name)) await make()
    } else if (!keys.some((key) => isOf(value, key))) {
      forgetSnippetKeys(projectId)
      setValue(undefined)
    }
  }
  useEffect(() => {
    if (isAdmin.value && (isEmpty || value !== undefined)) check().catch(showError)
  }, [isEmpty])
  return { value, isBusy, make }
}

/** Whether a key belongs to a record and is still valid. Keys begin with their id. */
const isOf = (key: string, record: KeyRecord): boolean => isInUse(record) && key.startsWith(record.id)

/** How to get the key that the snippets lack. */
function MissingKey({ projectId, snippetKey }: { projectId: string; snippetKey: SnippetKey }) {
  if (isAdmin.value) {
    return (
      <Banner
        tone="info"
        action={
          <Button busy={snippetKey.isBusy} onClick={snippetKey.make}>
            {startText.keyMake}
          </Button>
        }
      >
        {startText.keyNone(projectId)}
      </Banner>
    )
  }
  const who = session.value
  const command = `${who?.command ?? 'tracelake'} keys create --name NAME --role write --scope ${projectId}`
  return (
    <Banner tone="info">
      {canWrite.value && who?.credential === 'key' ? startText.keyOwn : startText.keyAsk} <code>{command}</code>
    </Banner>
  )
}

/** The key in the snippets, once there is one. */
const KeyCard = ({ projectId, snippetKey }: { projectId: string; snippetKey: SnippetKey }) => (
  <Card
    icon={KeyRound}
    title={startText.key}
    action={
      <Button busy={snippetKey.isBusy} onClick={snippetKey.make}>
        {startText.another}
      </Button>
    }
  >
    {startText.keyMade(projectId)}
  </Card>
)

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
