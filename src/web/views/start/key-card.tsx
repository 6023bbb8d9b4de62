import { KeyRound } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { startText } from '../../text/start.ts'
import type { SnippetKey } from './use-snippet-key.ts'

/** The key in the snippets, once there is one. */
export const KeyCard = ({ projectId, snippetKey }: { projectId: string; snippetKey: SnippetKey }) => (
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
