import { Button } from '../../components/controls/button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { canWrite, isAdmin, session } from '../../state/session.ts'
import { startText } from '../../text/start.ts'
import type { SnippetKey } from './use-snippet-key.ts'

/** How to get the key that the snippets lack. */
export function MissingKey({ projectId, snippetKey }: { projectId: string; snippetKey: SnippetKey }) {
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
