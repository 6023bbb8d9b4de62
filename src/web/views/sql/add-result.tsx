import { LayoutGrid } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { newCard } from '../../dashboard/cards/board.ts'
import type { Shape } from '../../sql/result-bar.tsx'
import { boardText } from '../../text/board.ts'

const AddToDialog = lazyPart(() => import('../../dashboard/add/add-to-dialog.tsx'), { loading: () => null })

/** Adds a statement to a dashboard, in the shape in which its rows are shown. */
export function AddResult({ statement, shape }: { statement: string; shape: Shape }) {
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Button icon={LayoutGrid} onClick={() => setAdding(true)}>
        {boardText.addTo.item}
      </Button>
      {isAdding && (
        <AddToDialog
          projectId={undefined}
          card={newCard({ shape: shape === 'table' ? 'table' : 'bars', source: { kind: 'sql', statement } })}
          range={{ kind: 'all' }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
