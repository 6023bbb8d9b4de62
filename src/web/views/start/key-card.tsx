import { KeyRound } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { createKey, keysQuery } from '../../api/keys.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { queries } from '../../state/query-signal.ts'
import { isAdmin } from '../../state/session.ts'
import { showError } from '../../state/undo.ts'
import { startText } from '../../text/start.ts'

/**
 * Puts a key of the project's own into the snippets. The first visit to an empty project makes it
 * unasked; a reload does not make a second one.
 */
export function KeyCard({ projectId, isEmpty, value, onMade }: KeyCardProps) {
  const [isBusy, setBusy] = useState(false)
  const name = `snippet-${projectId.replace('/', '-')}`
  const make = async (): Promise<void> => {
    setBusy(true)
    try {
      onMade((await createKey({ name, role: 'write', scope: projectId })).key)
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    if (!isAdmin.value || !isEmpty || value !== undefined) return
    void queries
      .fetchQuery(keysQuery)
      .then(({ keys }) => (keys.some((key) => key.name === name) ? undefined : make()))
      .catch(showError)
  }, [isEmpty])

  if (!isAdmin.value) {
    return (
      <Card icon={KeyRound} title={startText.key}>
        {startText.keyCannot} <code>tracelake keys create</code>
      </Card>
    )
  }
  return (
    <Card
      icon={KeyRound}
      title={startText.key}
      action={
        <Button busy={isBusy} onClick={make}>
          {value === undefined ? startText.keyMake : startText.another}
        </Button>
      }
    >
      {value === undefined ? startText.keyNone(projectId) : startText.keyMade(projectId)}
    </Card>
  )
}

interface KeyCardProps {
  readonly projectId: string
  readonly isEmpty: boolean
  readonly value: string | undefined
  readonly onMade: (key: string) => void
}
