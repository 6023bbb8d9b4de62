import { Coins, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { keysQuery, peopleQuery } from '../../../api/keys.ts'
import { createPrice, type Price, pricesQuery, removePrice } from '../../../api/settings.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Section } from '../../../components/display/section.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { canWrite, isOperator } from '../../../state/session.ts'
import { offerUndo, showError } from '../../../state/toasts.ts'
import { usePlace } from '../../../state/use-place.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { pricesText } from '../../../text/settings/settings-pages.ts'
import { NoProject } from '../no-project.tsx'
import { asOwnPrice } from './builtin-price.ts'
import { BuiltinPrices } from './builtin-prices.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { priceHistories } from './price-history.ts'
import { PriceTable } from './price-table.tsx'

/** A project's own prices, each model with its history. */
export default function Prices() {
  const { projectId } = usePlace()
  const { data, error, refetch } = useQuery({ ...pricesQuery(projectId), enabled: projectId !== undefined })
  const [isAdding, setAdding] = useState(false)
  const [before, setBefore] = useState<Price>()
  const nameOf = useNames()
  const readAgain = () => queries.invalidateQueries({ queryKey: pricesQuery(projectId).queryKey })
  if (projectId === undefined) {
    return <NoProject words={pricesText} />
  }
  const remove = async (price: Price): Promise<void> => {
    try {
      await removePrice(projectId, price.id)
      await readAgain()
      offerUndo({
        text: pricesText.removed(price.llm_id),
        undo: async () => {
          await createPrice(projectId, price.llm_id, sameAs(price))
          await readAgain()
        },
      })
    } catch (problem) {
      showError(problem)
    }
  }
  const close = () => {
    setAdding(false)
    setBefore(undefined)
  }
  return (
    <>
      <Section
        title={settingsText.sections.prices}
        lead={pricesText.lead(projectId)}
        action={
          canWrite.value && (
            <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
              {pricesText.add}
            </Button>
          )
        }
      >
        {error && data === undefined ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <LoadingRows columns="2fr 1fr 1fr 1fr 80px" rows={3} height={40} />
        ) : data.length === 0 ? (
          <EmptyState icon={Coins} title={pricesText.none}>
            {pricesText.noneReason}
          </EmptyState>
        ) : (
          <PriceTable
            histories={priceHistories(data, Date.now())}
            nameOf={nameOf}
            onChange={setBefore}
            onRemove={(price) => void remove(price)}
          />
        )}
        {(isAdding || before) && (
          <PriceDialog projectId={projectId} before={before} onClose={close} onMade={readAgain} />
        )}
      </Section>
      <BuiltinPrices projectId={projectId} onReplace={(model) => setBefore(asOwnPrice(model))} />
    </>
  )
}

/** What the request of the same price sends. */
const sameAs = (price: Price) => ({
  prompt_token_cost: price.prompt_token_cost ?? 0,
  completion_token_cost: price.completion_token_cost ?? 0,
  cache_read_input_token_cost: price.cache_read_input_token_cost ?? 0,
  cache_creation_input_token_cost: price.cache_creation_input_token_cost ?? 0,
  ...(price.effective_date !== null && { effective_date: price.effective_date }),
})

/** Names of keys and people for those who may see them; the id for others. */
function useNames(): (id: string) => string {
  const { data: keys } = useQuery({ ...keysQuery, enabled: isOperator.value })
  const { data: people } = useQuery({ ...peopleQuery, enabled: isOperator.value })
  const names = new Map([...(keys?.keys ?? []), ...(people?.people ?? [])].map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
